// Stands in for the AWS SDK's chain of credential providers in the bundles. In Lambda the role's credentials are in
// the environment, always; single sign-on, profiles and instance metadata would be a fifth of each bundle.

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Named as in `@aws-sdk/credential-provider-node`, whose place it takes. */
export const defaultProvider = () => async (): Promise<Credentials> => {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = process.env;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new Error("the environment holds no AWS credentials");
  }
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
};
