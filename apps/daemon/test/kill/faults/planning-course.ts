import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '@agent/simulators/trials';
import { drawBed, drawTalk, liveOnce } from './draw.ts';
import { createPlanningScript, wish } from './planning-script.ts';
import { drawFaults, passing } from './plans.ts';
import type { PlanTrial, Turn } from './random-trial.ts';
import type { TrialBed } from './trial-bed.ts';

/** Lives in which somebody may have to answer, before the daemon is left in peace. */
const mostLives = 12;

/**
 * Kills a run that plans, again and again. It asks, has its plan approved, hears comments and a rejection, fails, revises,
 * verifies and reports; people answer whatever stands open between two lives.
 */
export const planPlanning: PlanTrial = (random) => {
  const deaths = drawLives(random);
  const failures = random.pick([0, 1, 1, 2, 9] as const);
  const approval = random.pick(['off', 'required', 'required'] as const);
  const isVerified = random.next() < 0.7;
  const goesOn = random.next() < 0.5;
  const answer = createAnswer({ isEdited: random.next() < 0.5 });
  const { forge, kind } = drawBed(random);
  return {
    bed: {
      ...{ forge, kind, script: createPlanningScript({ failures, isVerified }) },
      config: { planning: { approval, continue_on_error: goesOn } },
    },
    turns: [...drawTalk(random, 4), ...drawWords(random)],
    faults: random.next() < 0.4 ? drawFaults(random, passing) : [],
    told: [
      `on ${forge}, approval ${approval}, the second step fails ${failures} times${goesOn ? ' and others go on' : ''}`,
      ...(isVerified ? [] : ['the work is never verified']),
      ...deaths.map((ms) => (ms === null ? 'a life' : `kill after ${ms} ms`)),
    ],
    harm: async (bed) => {
      for (const ms of deaths) {
        await liveOnce(bed, ms === null ? undefined : (life) => delay(ms).then(life.kill));
        answer(bed);
      }
      for (let life = 0; life < mostLives && (await bed.listOpen()).length > 0; life += 1) {
        await liveOnce(bed);
        answer(bed);
      }
    },
  };
};

/** Answers what stands open; the first time that a plan is approved, the request is edited before that, which voids it. */
function createAnswer({ isEdited }: { readonly isEdited: boolean }): (bed: TrialBed) => void {
  let edits = isEdited ? 1 : 0;
  return (bed) =>
    answerPlan(bed, {
      beforeApproval: () => {
        if (edits > 0) editRequest(bed);
        edits -= 1;
      },
    });
}

/** Says the same in other words. */
export function editRequest({ forge, reference }: TrialBed): void {
  forge.editThread(reference, { body: 'It forgets the quantity of each line.', by: 'alice' });
}

/** Null for a life that nobody ends. Never three deaths in a row: they give a run up, as they should. */
function drawLives(random: SeededRandom): readonly (number | null)[] {
  const drawn: (number | null)[] = [];
  for (let life = 0; life < 6; life += 1) {
    const mayDie = drawn.length < 2 || drawn.slice(-2).includes(null);
    drawn.push(mayDie && random.next() < 0.7 ? random.between(300, 3_000) : null);
  }
  return drawn;
}

function drawWords(random: SeededRandom): readonly Turn[] {
  const words: readonly Turn[] = [
    {
      step: random.between(0, 4),
      what: 'alice rejects A1',
      happen: ({ people }) => void people.command('reject A1'),
    },
    {
      step: random.between(0, 4),
      what: 'alice wishes for one more step',
      happen: ({ people }) => void people.say({ text: (word) => `${wish}, ${word}.` }),
    },
  ];
  return words.filter(() => random.next() < 0.8);
}

const asking = /<!-- agent-comment: run:[0-9a-f-]{36}:(question|approval)-\d+/;

/** Alice answers what stands last on the thread, where it asks. */
export function answerPlan(
  { forge, people, reference }: TrialBed,
  { beforeApproval = () => {} }: { readonly beforeApproval?: () => void } = {},
): void {
  const comments = forge.thread(reference).comments.filter(({ author }) => author !== 'bob');
  const asked = comments.findLastIndex(({ body }) => asking.test(body));
  const kind = asking.exec(comments[asked]?.body ?? '')?.[1];
  const isAnswered = comments
    .slice(asked + 1)
    .some(
      ({ author, body }) =>
        author === 'alice' && (kind === 'approval' ? body === '/approve' : !body.startsWith('/')),
    );
  if (kind === undefined || isAnswered) return;
  if (kind === 'approval') {
    beforeApproval();
    people.command('approve');
  } else people.say({ text: (word) => `Three of them, ${word}.` });
}
