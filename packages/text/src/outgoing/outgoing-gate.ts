import { createKnownSecrets, findSecrets, replaceSecrets, scanSecrets } from '../secrets/index.ts';
import { type AllowedSecrets, nothingAllowed } from './allowed-secrets.ts';
import { disarmLine, disarmText, toVisible } from './disarm-text.ts';
import { createPlaceHider, type Place } from './hide-places.ts';
import { createPatchScanner, type FindPushedSecrets } from './patch-scanner.ts';

/** The one door for what the daemon writes on a platform. */
export interface OutgoingGate {
  /** A text as it may stand there: without secrets and places of this machine, and doing nothing but being read. */
  readonly cleanText: (text: string) => Promise<string>;
  /** The same for a title or a subject, as one line. */
  readonly cleanLine: (text: string) => Promise<string>;
  /** Secrets in what would be pushed: known values, and what is certain enough to hold a push back. */
  readonly findPushedSecrets: FindPushedSecrets;
}

/** Options of `createOutgoingGate`. */
export interface OutgoingGateOptions {
  /** Values that this process holds. */
  readonly secrets: readonly string[];
  /** Names that stand for directories of this machine and for the model endpoint. */
  readonly places: readonly Place[];
  /** Exceptions of the operator. Default none. */
  readonly allow?: AllowedSecrets | undefined;
}

/**
 * Makes the gate from what the process knows of itself.
 *
 * @example
 * const gate = createOutgoingGate({ secrets: ['a-password-of-9-plums'], places: [] });
 * await gate.cleanText('a-password-of-9-plums, @octocat'); // '[REDACTED], @\u200boctocat'
 */
export function createOutgoingGate({
  secrets,
  places,
  allow = nothingAllowed,
}: OutgoingGateOptions): OutgoingGate {
  const known = createKnownSecrets(secrets);
  const hidePlaces = createPlaceHider(places);
  const clean = async (raw: string) => {
    // First: taking a character out of the middle of a secret puts it together.
    const text = toVisible(raw);
    const found = [...findSecrets(text, known), ...(await scanSecrets(text))];
    return hidePlaces(replaceSecrets(text, found));
  };
  return {
    cleanText: async (text) => disarmText(await clean(text)),
    cleanLine: async (text) => disarmLine(await clean(text)),
    findPushedSecrets: createPatchScanner({ secrets, allow }),
  };
}
