import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { StorageNotes } from '@agent/run-store';
import { z } from 'zod';

/** A token that lets somebody in, as it is listed: never the token itself. */
export interface KeptToken {
  /** Name of its holder, as the audit log and threads tell it. */
  readonly holder: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601: from when on it lets nobody in. */
  readonly expiresAt: string;
}

/** Finds who logs in. */
export interface TokenHolders {
  /** Finds who holds a token; null for one that is unknown, taken back or over. */
  readonly findHolder: (token: string) => Promise<string | null>;
}

/** Tokens by which people log in to a page of the runs. */
export interface LoginTokens extends TokenHolders {
  /** Makes the token of a holder, in the place of an earlier one. It is told this once: only its hash is kept. */
  readonly create: (holder: string, options: { readonly days: number }) => Promise<string>;
  /** Takes the token of a holder back. @returns whether there was one */
  readonly revoke: (holder: string) => Promise<boolean>;
  readonly list: () => Promise<readonly KeptToken[]>;
}

const schema = z
  .array(z.object({ holder: z.string(), hash: z.string(), createdAt: z.string(), expiresAt: z.string() }))
  .nullable()
  .transform((kept) => kept ?? []);

type Kept = z.infer<typeof schema>[number];

const dayMs = 86_400_000;

/** Options of `createLoginTokens`. */
export interface LoginTokenOptions {
  readonly now?: (() => number) | undefined;
  /** Name of the note. Default that of the web UI. */
  readonly note?: string | undefined;
}

/** Creates tokens by which programs that can write to the storage read the state of a daemon; each holds for a minute. */
export function createStatusTokens(
  notes: Pick<StorageNotes, 'read' | 'change'>,
  {
    drawId = randomUUID,
    ...options
  }: Pick<LoginTokenOptions, 'now'> & { readonly drawId?: () => string } = {},
): TokenHolders & { readonly create: () => Promise<string> } {
  const { create, findHolder } = createLoginTokens(notes, { ...options, note: 'http/status-tokens' });
  return { create: () => create(drawId(), { days: 60_000 / dayMs }), findHolder };
}

/**
 * Keeps tokens as hashes in a note, for every process of a place. They are drawn with 256 bits, so that a plain hash is enough: nobody
 * can try them all.
 *
 * @example
 * const tokens = createLoginTokens(storage.notes);
 * console.log(await tokens.create('alice', { days: 90 }));
 */
export function createLoginTokens(
  notes: Pick<StorageNotes, 'read' | 'change'>,
  { now = Date.now, note = 'page/tokens' }: LoginTokenOptions = {},
): LoginTokens {
  const read = async () => schema.parse(await notes.read(note));
  const toTime = (ms: number) => new Date(ms).toISOString();
  const isValid = ({ expiresAt }: Kept) => Date.parse(expiresAt) > now();
  return {
    create: async (holder, { days }) => {
      const token = randomBytes(32).toString('base64url');
      const made = { holder, hash: toHash(token), createdAt: toTime(now()) };
      const kept = { ...made, expiresAt: toTime(now() + days * dayMs) };
      await notes.change(note, (value) => [
        ...schema.parse(value).filter((one) => one.holder !== holder && isValid(one)),
        kept,
      ]);
      return token;
    },
    findHolder: async (token) => {
      const hash = toHash(token);
      return (await read()).find((one) => one.hash === hash && isValid(one))?.holder ?? null;
    },
    revoke: async (holder) => {
      let isThere = false;
      await notes.change(note, (value) => {
        const kept = schema.parse(value);
        isThere = kept.some((one) => one.holder === holder);
        return kept.filter((one) => one.holder !== holder);
      });
      return isThere;
    },
    list: async () => (await read()).map(({ hash: _, ...told }) => told),
  };
}

/** Hashes a token. Only hashes are compared: how long that takes tells nothing of the token. */
function toHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
