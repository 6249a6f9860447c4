import { PlatformError, type PlatformErrorReason } from '../platform-error.ts';
import type { CallOptions } from '../ports.ts';

/** A token as the platform gave it. */
export interface IssuedToken {
  readonly value: string;
  /** Milliseconds since 1970, by our clock, at which it ends; null where that is not known. */
  readonly endsAt: number | null;
}

/** Options of a question for a token. */
export interface TokenOptions extends CallOptions {
  /** A value that the platform has just refused: the answer is another one where there is another, else the same. */
  readonly refused?: string | undefined;
  /** `owner/repo` that the request is about. A credential that can narrows its token to it. Default: everything that it reaches. */
  readonly repository?: string | undefined;
}

/**
 * The login of one account on a platform. Its token may change while runs work: whoever makes a request asks for the token of that
 * moment, and asks once more where the platform refuses it.
 */
export interface Credential {
  /** Gives the token of this moment. @throws PlatformError, or the signal's reason */
  readonly token: (options?: TokenOptions) => Promise<IssuedToken>;
  /** Gives the login of the account; null where the platform says it to whoever has the token. */
  readonly login: (options?: CallOptions) => Promise<string | null>;
  /** Takes a new token now, which has what the account was given since. Default: its tokens have that already. */
  readonly renew?: ((options?: CallOptions) => Promise<void>) | undefined;
}

/** Told of each token before it is used, so that its value is known as a secret from then on. */
export type OnToken = (token: IssuedToken) => void;

/**
 * The credential of a token that stays as it is.
 *
 * @example
 * const credential = createStaticCredential('ghp_0123456789');
 * await credential.token(); // { value: 'ghp_0123456789', endsAt: null }
 */
export function createStaticCredential(value: string): Credential {
  return { token: async () => ({ value, endsAt: null }), login: async () => null };
}

/**
 * Gives git the tokens of a credential, each for one command.
 *
 * @example
 * const workspaces = createGitWorkspaces({ directory: '/srv/workspaces', token: toGitToken(credential), gate, ...author });
 */
export function toGitToken({ token }: Credential): (options?: TokenOptions) => Promise<string> {
  return async (options) => (await token(options)).value;
}

/** Tells whether a text may be a token: every server refuses one with spaces, line breaks or other letters. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/u.test(text);
}

/** Creates the error of a credential that cannot be used until an operator fixes it. Runs wait for that; see `PlatformError.scope`. */
export function unusableCredential(
  message: string,
  { reason, cause }: { readonly reason: PlatformErrorReason; readonly cause?: unknown },
): PlatformError {
  return new PlatformError(message, { code: 'unauthorized', reason, cause });
}
