import type { Json } from '@agent/run-store';
import { type PersonTrace, type PersonTraits, redactPerson } from './redact-person.ts';

interface NoteChangeOptions {
  readonly login: string;
  /** Runs of other platforms: what the audit log says of these is about somebody else. */
  readonly others: ReadonlySet<string>;
}

/** Creates the function that takes a person out of the value of a note, and reports where it was named. */
export function createNoteChange({ login, others }: NoteChangeOptions) {
  const person = { logins: [login], ids: [], lines: [], pictures: [] };
  return (name: string, value: Json, onTrace?: (trace: PersonTrace) => void): Json => {
    if (name === tokensNote && Array.isArray(value)) return dropTokens(value, { person, onTrace });
    if (!name.startsWith('audit/') || !Array.isArray(value)) return redactPerson(value, { person, onTrace });
    return value.map((entry: Json, index) => {
      const { actor = '', via, run } = entry as Readonly<Record<string, Json>>;
      if (typeof run === 'string' && others.has(run)) return entry;
      let isNamed = false;
      const note = () => {
        isNamed = true;
      };
      // The actor of a command is an account of the system, whatever its name.
      const { actor: _, ...rest } = entry as Readonly<Record<string, Json>>;
      const redacted = redactPerson(via === 'cli' ? rest : entry, { person, onTrace: note });
      if (!isNamed) return entry;
      onTrace?.({ kind: 'account', path: `${index}`, value: entry });
      return via === 'cli' ? { ...(redacted as object), actor } : redacted;
    });
  };
}

/** Note of the tokens by which people log in to the web UI. */
const tokensNote = 'page/tokens';

/** A token lets its holder in: it goes with the name. */
function dropTokens(
  tokens: readonly Json[],
  {
    person,
    onTrace,
  }: { readonly person: PersonTraits; readonly onTrace: ((trace: PersonTrace) => void) | undefined },
): Json {
  return tokens.filter((token, index) => {
    const { holder, createdAt, expiresAt } = token as Readonly<Record<string, Json>>;
    const isTheirs = person.logins.some((login) => login.toLowerCase() === String(holder).toLowerCase());
    if (isTheirs)
      onTrace?.({
        kind: 'account',
        path: `${index}`,
        value: { holder: holder ?? null, createdAt: createdAt ?? null, expiresAt: expiresAt ?? null },
      });
    return !isTheirs;
  });
}
