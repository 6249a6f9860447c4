/** A question over HTTP that only wants to know how it is answered. */
export interface Question {
  readonly url: string;
  readonly method?: 'GET' | 'POST' | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface Answer {
  readonly status: number;
  /** Parsed; null for a body that is no JSON. */
  readonly json: unknown;
}

export interface AskOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Asks once. @throws Error whose message says why there was no answer */
export async function ask(question: Question, { fetch, timeoutMs, signal }: AskOptions): Promise<Answer> {
  const { url, method = 'GET', headers, body } = question;
  try {
    const response = await fetch(url, {
      method,
      headers: { 'user-agent': 'agent-daemon', ...headers },
      // A redirect could carry the token to another host.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, json: parseJson(await response.text()) };
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** fetch hides the reason in a chain of causes. */
function reasonOf(error: unknown): string {
  let last = error;
  while (last instanceof Error && last.cause !== undefined) last = last.cause;
  const { code, message } = last as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message ?? last);
}
