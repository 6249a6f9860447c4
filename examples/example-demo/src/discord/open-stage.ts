import { type DiscordSimulator, startDiscordSimulator } from '@agent/simulators/discord';
import { type LmStudio, startLmStudio } from '@agent/simulators/lm-studio';
import { planTrip } from './plan-trip.ts';

/** The models of the stand-in: before it is reloaded, and after. */
export const models = { first: 'first-model', second: 'second-model' } as const;

export interface Stage {
  readonly discord: DiscordSimulator;
  readonly lmStudio: LmStudio;
  readonly close: () => Promise<void>;
}

/** Starts the simulated Discord and the stand-in for LM Studio. `onAsked` hears what goes in and what comes out. */
export async function openStage(
  token: string,
  onAsked: (input: string, answer: string) => void,
): Promise<Stage> {
  const discord = await startDiscordSimulator({ token });
  const lmStudio = await startLmStudio({
    models: [models.first],
    script: (input) => {
      const answer = planTrip(input);
      onAsked(input, answer);
      return answer;
    },
  });
  return {
    discord,
    lmStudio,
    close: async () => void (await Promise.all([discord.close(), lmStudio.close()])),
  };
}
