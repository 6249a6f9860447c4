import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { TokenHolders } from '@agent/orchestrator/watch';

/** Logins of people, kept in memory: a process that starts anew asks again. */
export interface Sessions {
  /** Opens one by a token and gives back the secret that the browser keeps. */
  readonly open: (token: string) => string;
  /** Finds whose it is. Null for one that is unknown or over, as it is with its token. @throws where the token could not be asked for */
  readonly find: (secret: string) => Promise<{ readonly actor: string } | null>;
  /** Tells whether one is open, as far as is known without asking. */
  readonly isOpen: (secret: string) => boolean;
  readonly end: (secret: string) => void;
}

/** Options of `createSessions`. */
export interface SessionsOptions {
  readonly now: () => number;
  readonly randomToken: () => string;
  /** Hours after which a login is over, whatever was done with it. */
  readonly hours: number;
  readonly findHolder: TokenHolders['findHolder'];
}

const MOST_SESSIONS = 1000;

/** Creates an empty store. A secret is kept as its hash; beyond 1,000 logins, the oldest ends. */
export function createSessions({ now, randomToken, hours, findHolder }: SessionsOptions): Sessions {
  const sessions = new Map<string, { readonly token: string; readonly endsAt: number }>();
  const findOpen = (secret: string) => {
    const found = sessions.get(toHash(secret));
    return found !== undefined && found.endsAt > now() ? found : null;
  };
  return {
    open: (token) => {
      const secret = randomToken();
      const oldest = sessions.keys().next();
      if (sessions.size >= MOST_SESSIONS && oldest.done !== true) sessions.delete(oldest.value);
      sessions.set(toHash(secret), { token, endsAt: now() + hours * 3_600_000 });
      return secret;
    },
    find: async (secret) => {
      const found = findOpen(secret);
      const actor = found === null ? null : await findHolder(found.token);
      if (actor !== null) return { actor };
      sessions.delete(toHash(secret));
      return null;
    },
    isOpen: (secret) => findOpen(secret) !== null,
    end: (secret) => void sessions.delete(toHash(secret)),
  };
}

function toHash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Signs what a form carries with a key that is made at start, so that nobody else can write the form. */
export interface FormSigner {
  readonly sign: (binding: string) => string;
  readonly isSigned: (token: string, binding: string) => boolean;
}

/** Creates a signer with its key. */
export function createFormSigner(key: string): FormSigner {
  const sign = (binding: string): string => createHmac('sha256', key).update(binding).digest('base64url');
  return { sign, isSigned: (token, binding) => isSame(token, sign(binding)) };
}

/** Compares two texts in a time that does not tell where they differ. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

/** Counts by address: so many in a span of time, and ten times as many for all addresses together. */
export function createAttemptLimit({
  now,
  most,
  spanMs,
}: {
  readonly now: () => number;
  readonly most: number;
  readonly spanMs: number;
}): {
  /** Counts one. @returns false where it is one too many */
  readonly take: (address: string) => boolean;
} {
  let span = 0;
  let total = 0;
  const counts = new Map<string, number>();
  return {
    take: (address) => {
      const current = Math.floor(now() / spanMs);
      if (current !== span) {
        span = current;
        total = 0;
        counts.clear();
      }
      const count = (counts.get(address) ?? 0) + 1;
      if (count > most || total >= most * 10) return false;
      counts.set(address, count);
      total += 1;
      return true;
    },
  };
}
