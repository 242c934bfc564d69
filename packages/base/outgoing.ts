// Door: what other packages use of base/outgoing.

export {
  type AnswerHead,
  type AnswerReceiver,
  HttpClient,
  type HttpClientOptions,
  type Method,
  type OutgoingRequest,
  type ReceiveAnswer,
  type RequestHeaders,
} from './outgoing/http-client.ts'
export { isBusy, RequestFailure, type RequestFailureOptions, waitOf } from './outgoing/request-failure.ts'
export { parseS3Address, type S3Access, type S3Location, s3Access } from './s3/access.ts'
export {
  contentOf,
  elements,
  type Listing,
  MAX_XML_BYTES,
  parseErrorCode,
  parseListing,
} from './s3/listing.ts'
