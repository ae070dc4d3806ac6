// The status of the interface: what GET /v1/status answers but for the jurisdictions, whose status the wording policy says.
// The data is interface-status.json; whoever checks the statuses changes that file and its `checked_on`.
import * as z from "zod";
import data from "./interface-status.json" with { type: "json" };

const note = z.string().min(1).describe("What a reader of the status should know beside it").optional();

const availabilityShape = {
  subject: z.enum(["public_api_host", "attestation", "production_access"]),
  status: z.enum(["in_development", "in_controlled_testing", "with_a_paid_agreement"]),
  statement: z.string().min(1),
  note,
};

const endpointShape = {
  method: z.enum(["GET", "POST"]),
  path: z.string().startsWith("/v1/"),
  access: z.enum(["key", "public"]).describe("Whether a call needs an API key"),
  status: z.enum(["in_controlled_testing", "in_development", "available"]),
  confirmed: z.iso
    .date()
    .nullable()
    .describe("The day on which it was confirmed that the endpoint works; null while that is open"),
  note,
};

const capabilityShape = {
  capability: z.string().regex(/^[a-z_]+$/),
  title: z.string().min(1),
  status: z.enum(["in_controlled_testing", "see_jurisdictions", "planned", "not_available", "available"]),
  note,
};

const checkedOn = z.iso.date().describe("The day on which the statuses were last checked");

/** The members of the answer, which may gain more. */
export const interfaceStatusShape = {
  checked_on: checkedOn,
  availability: z.array(z.object(availabilityShape)),
  endpoints: z.array(z.object(endpointShape)),
  capabilities: z.array(z.object(capabilityShape)),
};

/** The file, in which a member that has no meaning is a mistake. */
const interfaceStatusSchema = z.strictObject({
  checked_on: checkedOn,
  availability: z.array(z.strictObject(availabilityShape)),
  endpoints: z.array(z.strictObject(endpointShape)),
  capabilities: z.array(z.strictObject(capabilityShape)),
});
type InterfaceStatus = z.infer<typeof interfaceStatusSchema>;

export const INTERFACE_STATUS: InterfaceStatus = interfaceStatusSchema.parse(data);
