// The lines that AWS itself logs for one call, to be measured by their length. Ids and times are examples. Lambda logs none:
// the functions ask it for warnings only (lib/parts/handler.ts).

/** For every log line CloudWatch adds this to what it bills. https://aws.amazon.com/cloudwatch/pricing/ */
export const LINE_OVERHEAD_BYTES = 26;

const REQUEST_ID = "8f507cfc-0000-4697-b07a-ac58fc914c95";

/** Logged for each call of the API, with the members of `lib/front/api-stage.ts`. */
export const ACCESS_LINES = [
  JSON.stringify({
    request_id: REQUEST_ID,
    time: "1795244400000",
    method: "POST",
    route: "/v1/attestation",
    status: "200",
    gateway_response: "-",
    key_id: "0123456789abcdef0123",
    latency_ms: "123",
    integration_latency_ms: "120",
    response_bytes: "3400",
    tls_version: "TLSv1.3",
  }),
];

/** The bytes that CloudWatch counts for lines. */
export const billedBytes = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(line) + LINE_OVERHEAD_BYTES, 0);
