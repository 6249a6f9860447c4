import { followUpTexts } from '../../../src/follow-up/texts.ts';
import type { AskedModel, TrialLeft } from './play-trial.ts';
import { roundWords, wishes } from './trial-classes.ts';

const { ends } = followUpTexts.en;

/** Finds what does not hold of a change request that a run stayed with, in what the forge and the model have on record. */
export function findFaults(left: TrialLeft): readonly string[] {
  return [
    ...findInEnd(left),
    ...findInRounds(left),
    ...findInRequests(left),
    ...findInThreads(left),
    ...findInCommits(left),
    ...left.reruns
      .filter(({ sha, head }) => sha !== head)
      .map(({ sha }) => `a check of the old head ${sha.slice(0, 8)} was run again`),
    ...(repeats(left.reruns.map(({ sha }) => sha)) ? ['a check ran again twice for one head'] : []),
  ];
}

const kinds = ['pull request', 'merge request'] as const;

const finalsOf = ({ forge }: TrialLeft) =>
  forge.comments().flatMap(({ body }) => (body.includes(':final -->') ? [body] : []));

/** Green, or an honest stop: once, and true. */
function findInEnd(left: TrialLeft): readonly string[] {
  const { forge, runs, story, heads } = left;
  const finals = finalsOf(left);
  const [final = ''] = finals;
  const end =
    (Object.keys(ends) as (keyof typeof ends)[]).find((one) =>
      kinds.some((kind) => final.includes(ends[one](kind))),
    ) ?? 'none';
  const head = heads.at(-1)?.sha ?? '';
  const states = forge.checks(head);
  const isGreen = states.length > 0 && states.every((state) => state === 'success');
  return [
    ...(runs.join() === 'completed completed' ? [] : [`the runs are: ${runs.join(', ') || 'none'}`]),
    ...(finals.length === 1 ? [] : [`it was reported ${finals.length} times`]),
    ...(end === story.end ? [] : [`it ended as ${end}, not as ${story.end}`]),
    ...(end === 'green' && !isGreen
      ? [`it says green, and the checks are: ${states.join(', ') || 'none'}`]
      : []),
    ...(forge.changeRequests() === 1 ? [] : [`there are ${forge.changeRequests()} change requests`]),
  ];
}

/** The first request of each round, with what it was told of. */
function listRounds(asked: readonly AskedModel[]): readonly (AskedModel & { readonly news: string })[] {
  const rounds = new Map<number, AskedModel & { readonly news: string }>();
  for (const one of asked) {
    const { said } = one.view;
    const count = said.filter((text) => text.includes(roundWords)).length;
    const at = said.findLastIndex((text) => text.includes(roundWords));
    if (count > 0 && !rounds.has(count)) rounds.set(count, { ...one, news: said.slice(at).join('\n') });
  }
  return [...rounds.values()];
}

/** Each round has a reason: a word of who may steer, a failure of the present head, or a conflict. */
function findInRounds({ asked, story }: TrialLeft): readonly string[] {
  const rounds = listRounds(asked);
  const told = rounds.flatMap(({ news, head }, index) => {
    const commits = [...news.matchAll(/ended with "failure".* on commit ([0-9a-f]+)/gu)].map(
      ([, sha]) => sha,
    );
    const isFailure = commits.some((sha) => sha !== undefined && head?.startsWith(sha));
    const isWord = Object.values(wishes).some((words) => news.includes(words)) || news.includes('changes');
    if (isFailure || isWord || news.includes('conflicts with its base')) return [];
    return [
      commits.length > 0
        ? `round ${index + 1} is about checks of an old head: ${commits.join(', ')}`
        : `round ${index + 1} has no reason: ${JSON.stringify(news.slice(-300))}`,
    ];
  });
  const most = story.mostRounds;
  return rounds.length > most ? [...told, `it had ${rounds.length} rounds, for ${most} reasons`] : told;
}

/** While nothing changes nobody is asked: a conversation is sent again only by a process that took over from a dead one. */
function findInRequests({ asked, died }: TrialLeft): readonly string[] {
  const times = Map.groupBy(asked, ({ prompt }) => prompt);
  const most = Math.max(0, ...[...times.values()].map(({ length }) => length));
  const rounds = listRounds(asked).length;
  // A change and its words, a merge before them, each once more for each process that died.
  const expected = (rounds + 1) * 3 + died * 3;
  return [
    ...(most > 1 + died ? [`the model was sent the same conversation ${most} times`] : []),
    ...(asked.length > expected ? [`the model was asked ${asked.length} times in ${rounds} rounds`] : []),
  ];
}

/** Each thread of who may steer is answered once, by its last word; nobody else's is, and none is resolved unasked. */
function findInThreads({ forge, log }: TrialLeft): readonly string[] {
  // What is said while the end is written down is the next run's, which the thread then waits for.
  const isLate = log.some((line) => line.includes('queued task again: comment arrived too late'));
  return forge.threads().flatMap(({ comments, resolvedBy }) => {
    const authors = comments.map(({ author }) => author);
    const wanted = authors[0] === 'alice' ? 1 : 0;
    const answers = authors.filter((author) => author === 'agent').length;
    return [
      ...(answers === wanted || (isLate && answers === 0)
        ? []
        : [`a thread of ${authors[0]} has ${answers} answers, not ${wanted}`]),
      ...(resolvedBy === 'agent' ? [`a thread of ${authors[0]} was resolved, unasked`] : []),
    ];
  });
}

/** What the agent pushes follows what was there, and what people pushed last is part of the end. */
function findInCommits({ heads, forge }: TrialLeft): readonly string[] {
  const contains = (newer: string, older: string): boolean =>
    forge.git('rev-list', newer).split('\n').includes(older);
  const last = heads.at(-1)?.sha ?? '';
  return heads.flatMap(({ sha, byPerson }, index) => {
    const before = heads[index - 1]?.sha;
    const isForced = !byPerson && before !== undefined && !contains(sha, before);
    const isLost = byPerson && !contains(last, sha);
    return [
      ...(isForced ? [`the push of ${sha.slice(0, 8)} was forced`] : []),
      ...(isLost ? [`the commit ${sha.slice(0, 8)} of a person is gone`] : []),
    ];
  });
}

function repeats(values: readonly string[]): boolean {
  return new Set(values).size < values.length;
}
