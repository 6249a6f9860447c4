import type { ProxyAnswer } from '@agent/simulators/trials';
import type { ProxiedRequest } from './route.ts';

/** What a replica that lags behind says: earlier answers of the same addresses. */
export interface StaleAnswers {
  readonly keep: (request: ProxiedRequest, answer: ProxyAnswer) => void;
  readonly recall: (
    request: ProxiedRequest,
    now: { readonly answer: ProxyAnswer; readonly youngMs: number },
  ) => ProxyAnswer;
}

export function createStaleAnswers(): StaleAnswers {
  const kept = new Map<string, ProxyAnswer>();
  return {
    keep: ({ method, path }, answer) => {
      // What was unchanged then has no body of its own.
      if (method === 'GET' && answer.status === 200) kept.set(path, answer);
    },
    recall: ({ method, path }, { answer, youngMs }) => {
      if (method !== 'GET' || ![200, 304].includes(answer.status)) return answer;
      return kept.get(path) ?? withoutYoung(answer, youngMs);
    },
  };
}

/** A list as it was some time ago, as far as what was made since can be left out of it. */
function withoutYoung(answer: ProxyAnswer, youngMs: number): ProxyAnswer {
  const list = parseList(answer.body);
  if (list === null) return answer;
  const old = list.filter(({ created_at: at }) => at === undefined || Date.parse(at) < Date.now() - youngMs);
  // Another answer than the one that its tag stands for.
  const { etag: _, ...headers } = answer.headers;
  return { ...answer, headers, body: Buffer.from(JSON.stringify(old)) };
}

interface Listed {
  readonly created_at?: string;
}

function parseList(body: Buffer): readonly Listed[] | null {
  try {
    const value: unknown = JSON.parse(body.toString());
    return Array.isArray(value) ? (value as Listed[]) : null;
  } catch {
    return null;
  }
}
