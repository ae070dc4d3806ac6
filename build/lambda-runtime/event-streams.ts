// Stands in for the event streams of the AWS SDK in the bundles: the S3 client wants them for SelectObjectContent,
// which nobody here calls. The names are those of `@smithy/core/event-streams`.

const refuse = (): never => {
  throw new Error("these bundles speak no event streams");
};

export const eventStreamSerdeProvider = () => ({ serialize: refuse, deserialize: refuse });

export const resolveEventStreamSerdeConfig = <T extends object>(config: T) =>
  Object.assign(config, { eventStreamMarshaller: eventStreamSerdeProvider() });
