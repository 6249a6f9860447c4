import type { Account } from '@agent/platforms';
import { wrapUntrustedText } from '@agent/text';
import type { RunLogger } from '../ports.ts';
import type { CleanText } from './create-text-cleaner.ts';
import type { IsTrusted } from './create-trust.ts';

/** Whether somebody's words may be followed. */
export type Authority = 'trusted' | 'untrusted';

/** The same of a text, which may be what the agent wrote itself. */
export type TextAuthority = Authority | 'own';

export interface Writer {
  /** Null when the account is gone. */
  readonly author: string | null;
  readonly authority: TextAuthority;
}

/** What stands between the texts of people and the model of one run. */
export interface TextGuard {
  /** Marks the envelopes of this run. */
  readonly nonce: string;
  /** A text without what no page shows. */
  readonly clean: CleanText;
  /** A clean text in its envelope; empty when there is nothing to see. */
  readonly wrap: (text: string, writer: Writer) => string;
  /** Whether an account's words may be followed; `untrusted` where the platform could not be asked. */
  readonly authorityOf: (
    account: Account | null,
    options: { readonly signal?: AbortSignal | undefined },
  ) => Promise<Authority>;
}

export interface TextGuardOptions {
  readonly nonce: string;
  readonly clean: CleanText;
  readonly isTrusted: IsTrusted;
  readonly logger: RunLogger;
}

export function createTextGuard({ nonce, clean, isTrusted, logger }: TextGuardOptions): TextGuard {
  return {
    nonce,
    clean,
    wrap: (text, writer) => (text.trim() === '' ? '' : wrapUntrustedText(text, { ...writer, nonce })),
    authorityOf: async (account, options) => {
      try {
        return (await isTrusted(account, options)) ? 'trusted' : 'untrusted';
      } catch (error) {
        options.signal?.throwIfAborted();
        logger.warn({ err: error, account: account?.login }, 'whether somebody may steer cannot be asked');
        return 'untrusted';
      }
    },
  };
}
