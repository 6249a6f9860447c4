import { badGatewayReply, jsonReply, malformedReply, type Reply } from '../../shared/http/reply.ts';
import type { SimulatedFailure } from '../github-simulator.ts';
import type { Token } from '../state/model.ts';
import { badCredentials } from '../state/refusal.ts';
import { primaryRefusal, secondaryRefusal } from './rate-limits.ts';
import { refusalReply } from './reply.ts';

/** What a client gets instead of an answer; null when the request is to be answered after all. */
export function failureReply(
  failure: SimulatedFailure,
  context: { readonly token: Token | null; readonly now: number },
): Reply | null {
  const retryAfterSeconds = failure.retryAfterSeconds ?? 60;
  switch (failure.kind) {
    case 'server-error':
      return jsonReply(500, { message: 'Server Error' });
    case 'bad-gateway-html':
      return badGatewayReply();
    case 'malformed-json':
      return malformedReply();
    case 'unauthorized':
      return refusalReply(badCredentials(), 'rest');
    case 'primary-limit':
      return primaryLimitReply(failure, { ...context, retryAfterSeconds });
    case 'secondary-limit':
      return refusalReply(
        secondaryRefusal({ status: failure.status ?? 403, retryAfterMs: retryAfterSeconds * 1000 }),
        'rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits',
      );
    default:
      return null;
  }
}

function primaryLimitReply(
  failure: SimulatedFailure,
  context: { readonly token: Token | null; readonly now: number; readonly retryAfterSeconds: number },
): Reply {
  const reply = refusalReply(
    primaryRefusal(context.token),
    'rest/using-the-rest-api/rate-limits-for-the-rest-api',
  );
  const reset = Math.ceil(context.now / 1000) + context.retryAfterSeconds;
  return {
    ...reply,
    status: failure.status ?? reply.status,
    headers: {
      ...reply.headers,
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-used': '5000',
      'x-ratelimit-reset': String(reset),
      'x-ratelimit-resource': 'core',
    },
  };
}
