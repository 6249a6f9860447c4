import {
  badGatewayReply,
  jsonReply,
  malformedReply,
  type Reply,
  textReply,
} from '../../shared/http/reply.ts';
import type { SimulatedGitLabFailure } from '../gitlab-simulator.ts';
import { forbidden, type Refusal, unauthorized } from '../state/refusal.ts';
import { tooManyRequests, tooManyTimes } from './rate-limits.ts';

/** What a client gets instead of an answer; null when the request is to be answered after all. */
export function failureReply(failure: SimulatedGitLabFailure, now: number): Reply | null {
  const { retryAfterSeconds = 60 } = failure;
  switch (failure.kind) {
    case 'server-error':
      return jsonReply(500, { message: '500 Internal Server Error' });
    case 'bad-gateway-html':
      return badGatewayReply();
    case 'malformed-json':
      return malformedReply();
    case 'unauthorized':
      return refusalReply(unauthorized());
    case 'forbidden':
      return refusalReply(forbidden());
    case 'rate-limit':
      return refusalReply(tooManyRequests({ now, retryAfterSeconds }));
    case 'endpoint-limit':
      return refusalReply(tooManyTimes());
    default:
      return null;
  }
}

/** A refusal on the wire: JSON, or plain text where GitLab answers so. */
export function refusalReply({ status, body, headers }: Refusal): Reply {
  return typeof body === 'string' ? textReply(status, body, headers) : jsonReply(status, body, headers);
}
