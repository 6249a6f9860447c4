import {
  createKnownSecrets,
  findSecrets,
  replaceSecrets,
  scanSecrets,
} from '@agent/context-inheritance/secrets';
import { type DisarmOptions, disarmLine, disarmText } from './disarm-text.ts';
import { createPlaceHider, type Place } from './hide-places.ts';

/** The one door for what the daemon writes on a platform. */
export interface OutgoingGate {
  /** A text as it may stand there: without secrets and places of this machine, and doing nothing but being read. */
  readonly cleanText: (text: string, options?: DisarmOptions) => Promise<string>;
  /** The same for a title or a subject, as one line. */
  readonly cleanLine: (text: string) => Promise<string>;
}

export interface OutgoingGateOptions {
  /** Values that this process holds. */
  readonly secrets: readonly string[];
  /** What stands for directories of this machine and for the model endpoint. */
  readonly places: readonly Place[];
}

export function createOutgoingGate({ secrets, places }: OutgoingGateOptions): OutgoingGate {
  const known = createKnownSecrets(secrets);
  const hidePlaces = createPlaceHider(places);
  const clean = async (text: string) => {
    const found = [...findSecrets(text, known), ...(await scanSecrets(text))];
    return hidePlaces(replaceSecrets(text, found));
  };
  return {
    cleanText: async (text, options) => disarmText(await clean(text), options),
    cleanLine: async (text) => disarmLine(await clean(text)),
  };
}
