import { type FaultyModel, startFaultyModel } from '@agent/simulators/model';
import type { BrokenAnswer } from './broken-answers.ts';

/** A model server on loopback that plays one broken answer after the other. */
export interface FaultyEndpoint extends Pick<FaultyModel, 'baseUrl' | 'close'> {
  readonly play: (broken: BrokenAnswer) => void;
}

/** Counts the answers of each broken answer anew; refusals are none. */
export async function startFaultyEndpoint(): Promise<FaultyEndpoint> {
  let playing: BrokenAnswer | null = null;
  let answered = 0;
  const { baseUrl, close } = await startFaultyModel(({ mode }) => {
    const reaction = playing?.react(mode, answered) ?? { kind: 'refuse', status: 404 };
    if (reaction.kind !== 'refuse') answered += 1;
    return reaction;
  });
  return {
    baseUrl,
    close,
    play: (broken) => {
      playing = broken;
      answered = 0;
    },
  };
}
