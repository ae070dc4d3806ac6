// The Lambda handlers, as they are deployed: the parts of them that an HTTP server needs.
import type {
  APIGatewayAuthorizerResult,
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  APIGatewayTokenAuthorizerEvent,
  Context,
} from "aws-lambda";

export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;
export type Authorizer = (event: APIGatewayTokenAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

/** The handlers behind one server. */
export interface ApiHandlers {
  /** By the name in the route table, with the fallback. */
  readonly api: ReadonlyMap<string, LambdaHandler>;
  readonly authorize: Authorizer;
}
