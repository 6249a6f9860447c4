import { collectEvidence } from './evidence.ts';
import type { Meant } from './fault.ts';
import { markerOf } from './marker.ts';
import type { PromiseName } from './promise.ts';
import { findBrokenPromises } from './promises.ts';
import { live } from './targeted.ts';
import { openBed, type TrialBed } from './trial-bed.ts';

/** Somebody or something that breaks a promise in the daemon's place: a proxy that lies, a forge that forgets. */
interface Plant {
  readonly promise: PromiseName;
  readonly play: (bed: TrialBed) => Promise<unknown>;
}

interface Listed {
  readonly id: number;
}

/** Changes what lists of comments say. */
function lie(bed: TrialBed, change: (list: readonly Listed[]) => readonly Listed[]): void {
  const rewrite = (body: string): string => {
    const list: unknown = body === '' ? null : JSON.parse(body);
    return Array.isArray(list) ? JSON.stringify(change(list as Listed[])) : body;
  };
  bed.desk.add({ meant: { routes: ['comment-list'] }, effect: { kind: 'rewritten', rewrite } });
}

const people = (bed: TrialBed): ReadonlySet<number> =>
  new Set(bed.people.sayings().map(({ id }) => Number(id)));

const hidden: Plant['play'] = async (bed) => {
  lie(bed, (list) => list.filter(({ id }) => !people(bed).has(id)));
  bed.at(2, () => void bed.people.say());
  await live(bed);
};

export const plants: readonly Plant[] = [
  { promise: 'nothing said in time is untold and unreported', play: hidden },
  {
    promise: 'each comment stands in exactly one message',
    play: async (bed) => {
      const twice = (one: Listed): readonly Listed[] => [one, { ...one, id: one.id + 500_000 }];
      lie(bed, (list) => list.flatMap((one) => (people(bed).has(one.id) ? twice(one) : [one])));
      bed.at(2, () => void bed.people.say());
      await live(bed);
    },
  },
  {
    promise: 'a command is obeyed once, and not forgotten',
    play: async (bed) => {
      lie(bed, (list) => list.filter(({ id }) => !people(bed).has(id)));
      bed.at(1, () => void bed.people.command('stop'));
      await live(bed);
    },
  },
  {
    promise: 'a run has one final comment',
    play: async (bed) => {
      await live(bed);
      const final = bed.forge
        .thread(bed.reference)
        .comments.find(({ body }) => markerOf.exec(body)?.[2] === 'final');
      bed.forge.comment(bed.reference, { author: 'robot', body: final?.body ?? '' });
    },
  },
  {
    promise: 'a label says processing only while something is open',
    play: async (bed) => {
      await live(bed);
      bed.forge.addLabels(bed.reference, ['coding agent processing']);
    },
  },
  {
    promise: 'a label that a person gave leads to a run, or stays',
    play: async (bed) => {
      await live(bed);
      bed.people.label();
      bed.world.gitHub.removeLabel('acme/shop', 1, 'coding agent');
    },
  },
  {
    promise: 'who may give instructions is told as such, and nobody else',
    play: async (bed) => {
      const rewrite = (body: string): string =>
        JSON.stringify({ ...JSON.parse(body), permission: 'write', role_name: 'write' });
      const meant: Meant = { routes: ['permission'], path: /collaborators.bob/ };
      bed.desk.add({ meant, effect: { kind: 'rewritten', rewrite } });
      bed.at(2, () => void bed.people.say({ by: 'bob' }));
      await live(bed);
    },
  },
  {
    promise: 'a step takes effect once',
    play: async (bed) => {
      // The model is made to ask for its first step once more.
      const answer: Meant = { routes: ['model'], body: /step.sh/ };
      const rewrite = (body: string): string => body.replace(/\\"3\\"/, '\\"1\\"');
      bed.desk.add({ meant: answer, effect: { kind: 'rewritten', rewrite }, times: 1 });
      await live(bed);
    },
  },
  {
    promise: 'only what was deleted is told as deleted, with its words',
    play: async (bed) => {
      let id = '';
      bed.at(1, () => {
        ({ id } = bed.people.say());
      });
      // Nobody knows of it but the forge.
      bed.at(3, () => bed.forge.deleteComment(id));
      await live(bed);
    },
  },
  {
    promise: 'branches are pushed to the project of the thread alone',
    play: async (bed) => {
      const files = { 'README.md': 'Another project.\n' };
      await bed.world.gitHub.addRepository({
        owner: 'acme',
        name: 'other',
        files,
        collaborators: { robot: 'write' },
      });
      bed.neighbors.push(bed.world.gitHub.gitDirectory('acme/other'));
      bed.desk.add({
        meant: { routes: ['git'], path: /receive-pack/ },
        effect: { kind: 'redirected', to: (path) => path.replace('/acme/shop.git', '/acme/other.git') },
      });
      await live(bed);
    },
  },
  {
    promise: 'the report says told only of what was told',
    play: async (bed) => {
      await hidden(bed);
      const [saying] = bed.people.sayings();
      const body = `<!-- agent-comment: run -->\n- [now](x#issuecomment-${saying?.id}): comment, the agent was told`;
      bed.forge.comment(bed.reference, { author: 'robot', body });
    },
  },
];

/** Plants one, and says what is wrong with the checker: nothing where it finds what was planted. */
export async function runPlant({ promise, play }: Plant): Promise<readonly string[]> {
  const bed = await openBed({ forge: 'github' });
  try {
    await play(bed);
    const found = findBrokenPromises(await collectEvidence(bed)).map((broken) => broken.promise);
    return found.includes(promise)
      ? []
      : [`planted a breach of "${promise}"; found: ${found.join('; ') || 'nothing'}`];
  } finally {
    await bed.close();
  }
}
