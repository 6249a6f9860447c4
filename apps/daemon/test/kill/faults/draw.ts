import type { SeededRandom } from '@agent/simulators/trials';
import type { DaemonLife } from './daemon-life.ts';
import type { Saying } from './people.ts';
import type { Turn } from './random-trial.ts';
import type { TrialBed } from './trial-bed.ts';

const steps = 6;

/** What people say, edit and take back while a run is under way. */
export function drawTalk(random: SeededRandom, most = 6): readonly Turn[] {
  const said: (Saying | undefined)[] = [];
  return Array.from({ length: random.between(2, most) }, (_, index): Turn => {
    const step = random.between(0, steps);
    const what = random.pick(['alice', 'alice', 'bob', 'edit', 'edit', 'remove'] as const);
    const earlier = random.between(0, index);
    if (what === 'edit' || what === 'remove') {
      return {
        step,
        what: `${what} of comment ${earlier}`,
        happen: ({ people }) => {
          const saying = said[earlier];
          if (saying !== undefined) people[what](saying);
        },
      };
    }
    return {
      step,
      what: `${what} says something`,
      happen: ({ people }) => {
        said[index] = people.say({ by: what });
      },
    };
  });
}

/** A place and a kind of endpoint. */
export function drawBed(random: SeededRandom) {
  const forge = random.pick(['github', 'gitlab'] as const);
  const kind = random.pick(['issue', 'issue', 'change-request'] as const);
  return { forge, kind, steps };
}

/** A life that ends by itself, or of which something else makes an end. */
type Ending = (life: DaemonLife, bed: TrialBed) => Promise<void>;

export async function liveOnce(bed: TrialBed, end: Ending = async () => {}): Promise<void> {
  const life = bed.start({ once: true });
  await Promise.race([life.exited, end(life, bed)]);
  await life.exited;
}

/** As long as a run takes, more or less. */
export const drawMoment = (random: SeededRandom): number => random.between(300, 2_400);

/** Never three deaths in a row: they give a run up, as they should. */
export const drawDeaths = (random: SeededRandom): readonly number[] =>
  Array.from({ length: random.between(1, 2) }, () => drawMoment(random));
