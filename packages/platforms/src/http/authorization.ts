import type { Credential, TokenOptions } from './credential.ts';

/** Purpose of a token. */
export type AuthorizedCall = Pick<TokenOptions, 'repository' | 'signal'>;

/** The credential of a connection, at work. */
export interface Authorization {
  /** The same fetch, which gives each request the token of that moment. */
  readonly authorize: (ask: typeof globalThis.fetch, options: AuthorizedCall) => typeof globalThis.fetch;
  /** Makes sure that there is a token. @throws PlatformError that says why there is none */
  readonly prepare: (options: AuthorizedCall) => Promise<void>;
  /** Takes the tokens of this connection out of a text. */
  readonly redact: (text: string) => string;
}

/** Tokens that are remembered to be taken out of errors: those of requests that may still be under way. */
const maxRemembered = 16;

/**
 * Puts a credential's tokens into requests. A request that is refused with 401 had no effect, whatever it asked for: it is made once
 * more where the credential has another token by then, and else the refusal is the answer.
 */
export function createAuthorization(
  credential: Credential,
  toHeader: (token: string) => readonly [name: string, value: string],
): Authorization {
  let remembered: readonly string[] = [];
  const give = async (options: Parameters<Credential['token']>[0]): Promise<string> => {
    const { value } = await credential.token(options);
    if (!remembered.includes(value)) remembered = [value, ...remembered].slice(0, maxRemembered);
    return value;
  };
  return {
    authorize: (ask, call) => async (input, init) => {
      const send = (token: string) => {
        const headers = new Headers(init?.headers);
        const [name, value] = toHeader(token);
        headers.set(name, value);
        return ask(input, { ...init, headers: Object.fromEntries(headers) });
      };
      const token = await give(call);
      const answer = await send(token);
      if (answer.status !== 401) return answer;
      const other = await give({ ...call, refused: token });
      return other === token ? answer : send(other);
    },
    prepare: async (options) => void (await give(options)),
    redact: (text) => remembered.reduce((rest, token) => rest.replaceAll(token, '[REDACTED]'), text),
  };
}
