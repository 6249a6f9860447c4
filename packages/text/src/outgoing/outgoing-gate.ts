import {
  createKnownSecrets,
  type FoundSecret,
  findCertainSecrets,
  findSecrets,
  replaceSecrets,
  scanSecrets,
} from '../secrets/index.ts';
import { type AllowedSecrets, fingerprintOf, isPathAllowed, nothingAllowed } from './allowed-secrets.ts';
import { disarmLine, disarmText, toVisible } from './disarm-text.ts';
import { createPlaceHider, type Place } from './hide-places.ts';

/** Something that looks like a secret, in a text that would be pushed. */
export interface PushedSecret extends FoundSecret {
  /** Whether the process holds it itself: then it does not matter that the server has it already. */
  readonly isOwn: boolean;
  /** Names the value without telling it. */
  readonly fingerprint: string;
}

/** The one door for what the daemon writes on a platform. */
export interface OutgoingGate {
  /** A text as it may stand there: without secrets and places of this machine, and doing nothing but being read. */
  readonly cleanText: (text: string) => Promise<string>;
  /** The same for a title or a subject, as one line. */
  readonly cleanLine: (text: string) => Promise<string>;
  /** Secrets in a text that would be pushed: known values, and what is certain enough to hold a push back. */
  readonly findPushedSecrets: (change: {
    readonly path: string;
    readonly text: string;
  }) => Promise<readonly PushedSecret[]>;
}

export interface OutgoingGateOptions {
  /** Values that this process holds. */
  readonly secrets: readonly string[];
  /** What stands for directories of this machine and for the model endpoint. */
  readonly places: readonly Place[];
  /** What an operator lets through. Default nothing. */
  readonly allow?: AllowedSecrets | undefined;
}

/** Makes the gate from what the process knows of itself. */
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
    findPushedSecrets: async ({ path, text }) => {
      const describe = (isOwn: boolean) => (found: FoundSecret) => ({
        ...found,
        isOwn,
        fingerprint: fingerprintOf(text.slice(found.start, found.end)),
      });
      const own = known.find(text).map(describe(true));
      if (isPathAllowed(path, allow)) return own;
      const others = (await findCertainSecrets(text)).map(describe(false));
      return [...own, ...others.filter(({ fingerprint }) => !allow.fingerprints.includes(fingerprint))];
    },
  };
}
