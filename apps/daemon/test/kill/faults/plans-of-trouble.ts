import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type DiskDamage, damageFile, derivedFiles } from './disk-damage.ts';
import { drawBed, drawDeaths, drawMoment, drawTalk, liveOnce } from './draw.ts';
import type { PlanTrial, Turn } from './random-trial.ts';
import type { TrialBed } from './trial-bed.ts';

/** People pause, resume and stop runs, and processes die meanwhile. */
export const planSteering: PlanTrial = (random) => {
  const deaths = random.next() < 0.5 ? drawDeaths(random) : [];
  const verb = random.pick(['pause', 'pause', 'stop'] as const);
  const step = random.between(0, 4);
  const byComment = random.next() < 0.5;
  return {
    bed: drawBed(random),
    turns: [
      ...drawTalk(random),
      { step, what: `/${verb}`, happen: ({ people }) => void people.command(verb) },
    ],
    faults: [],
    told: deaths.map((ms) => `kill after ${ms} ms`),
    harm: async (bed) => {
      for (const ms of deaths) await liveOnce(bed, (life) => delay(ms).then(life.kill));
      await liveOnce(bed);
      if (verb !== 'pause') return;
      if (byComment) bed.people.command('resume');
      else await bed.resumeAll();
    },
  };
};

/** An owner that is frozen and wakes, and others that would take its place. */
export const planFreezes: PlanTrial = (random) => {
  const freezes = Array.from({ length: random.between(1, 3) }, () => ({
    at: drawMoment(random),
    ms: random.between(50, 800),
  }));
  return {
    bed: drawBed(random),
    turns: drawTalk(random),
    faults: [],
    told: freezes.map(({ at, ms }) => `frozen after ${at} ms, for ${ms} ms, with a rival`),
    harm: async (bed) => {
      const owner = bed.start({ once: true });
      for (const { at, ms } of freezes) {
        await Promise.race([owner.exited, delay(at)]);
        owner.freeze();
        const rival = bed.start({ once: true });
        await Promise.race([rival.exited, delay(ms)]);
        owner.wake();
        await rival.exited;
      }
      await owner.exited;
    },
  };
};

/** Files of a run that are damaged between two starts; the record itself has scenarios of its own. */
export const planDiskDamage: PlanTrial = (random) => {
  const deaths = drawDeaths(random).map((ms) => ({
    ms,
    file: random.pick([...derivedFiles, 'outcome.json']),
    damage: random.pick<DiskDamage>(['halve', 'flip', 'garble', 'empty']),
  }));
  return {
    bed: drawBed(random),
    turns: drawTalk(random),
    faults: [],
    told: deaths.map(({ ms, file, damage }) => `kill after ${ms} ms, then ${damage} ${file}`),
    harm: async (bed) => {
      for (const { ms, file, damage } of deaths) {
        await liveOnce(bed, (life) => delay(ms).then(life.kill));
        for (const uuid of await bed.listRuns('running'))
          await damageFile(join(bed.contexts(), 'running', uuid, file), damage);
      }
    },
  };
};

/** A thread of several pages, whose first comments go while it is read. */
export const planPages: PlanTrial = (random) => {
  const before = random.between(95, 205);
  const burst = random.between(5, 110);
  const gone = random.between(1, 5);
  return {
    bed: { ...drawBed(random), steps: 4 },
    turns: [
      ...drawTalk(random),
      { step: random.between(0, 3), what: `${burst} comments at once`, happen: (bed) => sayMany(bed, burst) },
    ],
    faults: [],
    told: [`${before} comments before, ${gone} of them deleted between pages`],
    harm: async (bed) => {
      // The first prompt shows the newest of them alone, and says so.
      const old = Array.from({ length: before }, () =>
        bed.forge.comment(bed.reference, { author: 'alice', body: 'Said before.' }),
      );
      for (const [index, id] of old.slice(0, gone).entries()) {
        const meant = { routes: ['comment-list'], path: /[?&]page=[23]/ } as const;
        bed.desk.when({ meant, nth: index * 2 + 1, act: () => bed.forge.deleteComment(id) });
      }
      await liveOnce(bed);
    },
  };
};

function sayMany({ people }: TrialBed, count: number): void {
  for (let index = 0; index < count; index += 1) people.say();
}

const hour = 3_600_000;

/** The forge's clock is wrong, and jumps. */
export const planClocks: PlanTrial = (random) => {
  const offset = random.pick([0, -300_000, 300_000, -hour, hour]);
  const jumps = Array.from({ length: random.between(0, 2) }, (): Turn => {
    const ms = random.pick([-5_000, -1_000, 2_000, 60_000]);
    return {
      step: random.between(1, 5),
      what: `the clock jumps by ${ms} ms`,
      happen: (bed) => bed.turnClock(ms),
    };
  });
  return {
    bed: drawBed(random),
    turns: [...drawTalk(random), ...jumps],
    faults: [],
    told: [`the clock is wrong by ${offset} ms`],
    harm: async (bed) => {
      bed.turnClock(offset);
      await liveOnce(bed);
    },
  };
};

const secret = 'TheSecretOfTheWebhookInTrials001';

/** News that come twice, late, never, or from somebody else. */
export const planWebhooks: PlanTrial = (random) => {
  const turns = drawTalk(random);
  const posts = Array.from({ length: 12 }, () => ({
    times: random.between(0, 2),
    ms: random.between(0, 400),
    isForged: random.next() < 0.2,
  }));
  return {
    bed: { ...drawBed(random), config: { http: { port: 0 }, poll_interval_seconds: 60 } },
    turns,
    faults: [],
    told: ['webhooks come twice, late, never and forged'],
    harm: async (bed) => {
      const environment = { GITHUB_WEBHOOK_SECRET: secret, GITLAB_WEBHOOK_TOKEN: secret };
      const life = bed.start({ environment });
      await life.process.printed(/listening for webhooks/);
      const url = /"url":"(http:[^"]+)"/.exec(life.process.output())?.[1] ?? '';
      const posted: Promise<unknown>[] = [];
      const known = new Set<string>();
      const deliver = (): void => {
        for (const { id } of bed.people.sayings()) {
          if (known.has(id)) continue;
          known.add(id);
          const { times, ms, isForged } = posts[known.size % posts.length] ?? {
            times: 1,
            ms: 0,
            isForged: false,
          };
          const delivery = bed.forge.composeDelivery(
            { commentId: id, change: 'created' },
            isForged ? 'another one' : secret,
          );
          for (let count = 0; count < times; count += 1) {
            posted.push(
              delay(ms).then(() =>
                fetch(`${url}/webhooks/${bed.forge.name}`, { method: 'POST', ...delivery }).catch(() => null),
              ),
            );
          }
        }
      };
      for (let step = 0; step <= 6; step += 1) bed.at(step, deliver);
      await bed.ended(20_000);
      await Promise.all(posted);
      await life.stop();
    },
  };
};

/** Two daemons of one account: in two directories, or in one from two containers. */
export const planTwo: PlanTrial = (random) => {
  const apart = random.next() < 0.5;
  const ms = random.between(0, 700);
  return {
    bed: { ...drawBed(random), config: { poll_interval_seconds: 60 } },
    turns: drawTalk(random),
    faults: [{ meant: { routes: ['label', 'comment-write'] }, effect: { kind: 'slow', ms } }],
    told: [
      apart ? 'two containers with one directory' : 'two directories',
      `${ms} ms between look and write`,
    ],
    places: apart ? ['first'] : ['first', 'second'],
    apart,
    harm: async (bed) => {
      const lives = apart
        ? [bed.start({ apart }), bed.start({ apart })]
        : [bed.start(), bed.start({ at: 'second' })];
      await bed.ended(30_000);
      await Promise.all(lives.map(({ stop }) => stop()));
    },
  };
};
