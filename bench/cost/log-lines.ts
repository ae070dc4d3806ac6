// The lines that AWS itself logs for one call, to be measured by their length. Ids and times are examples.

/** For every log line CloudWatch adds this to what it bills. https://aws.amazon.com/cloudwatch/pricing/ */
export const LINE_OVERHEAD_BYTES = 26;

const REQUEST_ID = "8f507cfc-0000-4697-b07a-ac58fc914c95";

/** Logged for each run of a function. https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html */
export const LAMBDA_LINES = [
  `START RequestId: ${REQUEST_ID} Version: $LATEST\n`,
  `END RequestId: ${REQUEST_ID}\n`,
  `REPORT RequestId: ${REQUEST_ID}\tDuration: 123.45 ms\tBilled Duration: 124 ms\tMemory Size: 1024 MB\tMax Memory Used: 123 MB\t\n` +
    "XRAY TraceId: 1-5e34a614-10bdxmplf1fb44f07bc535a1\tSegmentId: 07f5xmpl2d1f6f85\tSampled: true\t\n",
];

/** Logged for each call of the API, with the members of `lib/api-stage.ts`. */
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
