import { jsonReply, type Reply } from '../../shared/http/reply.ts';
import type { Refusal } from '../state/refusal.ts';

/** Words a refusal as GitHub does: message, details, the page that explains it, and the status as text. */
export function refusalReply(refusal: Refusal, docs: string): Reply {
  const body = {
    message: refusal.message,
    ...(refusal.errors ? { errors: refusal.errors } : {}),
    documentation_url: `https://docs.github.com/${docs}`,
    status: String(refusal.status),
  };
  return jsonReply(refusal.status, body, refusal.headers);
}
