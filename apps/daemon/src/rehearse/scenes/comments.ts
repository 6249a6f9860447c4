import type { CommentPassage } from '@agent/orchestrator/watch';
import type { Stage } from '../stage.ts';

/** Difference of the clocks that does no harm, in milliseconds. */
const clockToleranceMs = 60_000;

/** Comment that the person deleted. */
export interface DeletedComment {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Posts, edits and deletes comments while the run works. @returns the deleted comment, whose deletion the run finds later; null for none */
export async function playComments(stage: Stage): Promise<DeletedComment | null> {
  const { person, texts } = stage.parts;
  const { thread } = stage;
  const { stays, edited, deleted } = texts.comments;
  const ids = { stays: '', edited: '', deleted: '' };
  await stage.check('comment', async () => {
    const postedAt = stage.parts.clock.now();
    ids.stays = await person.comments.post(thread, stays);
    ids.edited = await person.comments.post(thread, edited);
    ids.deleted = await person.comments.post(thread, deleted);
    await stage.check('fresh-list', () => seeInList(stage, ids.deleted));
    await stage.until('model', () => findDelivered(stage, { id: ids.stays, kind: 'added' }));
    return { status: 'passed', text: texts.delivered(stage.seconds(postedAt)) };
  });
  if (ids.deleted === '') return null;
  await stage.check('reaction', async () => {
    await stage.until('platform', async () =>
      (await stage.parts.agent.reactions.isSeen(thread, ids.stays)) ? true : null,
    );
    return { status: 'passed', text: texts.reacted };
  });
  await stage.check('edit', () => editComment(stage, ids.edited));
  const gone = await deleteComment(stage, ids.deleted);
  await probe(stage);
  return gone;
}

/** Checks that the run noticed the deletion. It looks for deletions when it is resumed, and before it finishes. */
export async function checkDeletion(stage: Stage, { id, at }: DeletedComment): Promise<void> {
  await stage.check('deletion', async () => {
    await stage.until('model', () => findDelivered(stage, { id, kind: 'deleted' }));
    return { status: 'passed', text: stage.parts.texts.deletionDelivered(stage.seconds(at)) };
  });
}

async function seeInList(stage: Stage, id: string) {
  const { texts, clock, patience } = stage.parts;
  const since = clock.now();
  await stage.until('platform', async () => (await findComment(stage, id)) ?? null);
  const seconds = stage.seconds(since);
  return clock.now() - since <= patience.freshMs
    ? ({ status: 'passed', text: texts.listFresh(seconds) } as const)
    : ({ status: 'failed', text: texts.listLate(seconds) } as const);
}

async function editComment(stage: Stage, id: string) {
  const { person, texts, clock } = stage.parts;
  const before = await findComment(stage, id);
  // Platforms tell times in seconds: an edit in the same second would show no other.
  await clock.sleep(1_100, stage.parts.signal);
  await person.comments.edit(stage.thread, id, texts.editedComment);
  const editedAt = clock.now();
  const after = await stage.until('platform', async () => {
    const found = await findComment(stage, id);
    return found?.body.includes(texts.editedComment) ? found : null;
  });
  if (after.updatedAt === before?.updatedAt) return { status: 'failed', text: texts.editHidden } as const;
  await stage.until('model', () => findDelivered(stage, { id, kind: 'edited' }));
  return { status: 'passed', text: texts.editDelivered(stage.seconds(editedAt)) } as const;
}

async function deleteComment(stage: Stage, id: string): Promise<DeletedComment | null> {
  const { person, texts, clock } = stage.parts;
  const isGone = async () => ((await findComment(stage, id)) === undefined ? true : null);
  try {
    await person.comments.remove(stage.thread, id);
    const at = clock.now();
    await stage.until('platform', isGone).catch((error: Error) => {
      throw new Error(`${texts.stillListed} ${error.message}`);
    });
    return { id, at };
  } catch (error) {
    await stage.check('deletion', () => Promise.reject(error));
    return null;
  }
}

async function findComment(stage: Stage, id: string) {
  return (await stage.listComments()).find((comment) => comment.id === id);
}

async function findDelivered(
  stage: Stage,
  { id, kind }: Pick<CommentPassage, 'id' | 'kind'>,
): Promise<CommentPassage | null> {
  const run = await stage.readRun();
  const found = run?.comments.find((one) => one.id === id && one.kind === kind && one.deliveredAt !== null);
  if (found !== undefined) return found;
  stage.requireUnfinished(run);
  return null;
}

/** Checks how the platform answers a list of comments. */
async function probe(stage: Stage): Promise<void> {
  const { agent, texts, clock } = stage.parts;
  let facts: Awaited<ReturnType<typeof agent.probe.probeList>> | null = null;
  await stage.check('pages', async () => {
    facts = await agent.probe.probeList(stage.thread);
    return facts.hasNextPage
      ? { status: 'passed', text: texts.pagesNamed }
      : { status: 'failed', text: texts.pagesMissing };
  });
  if (facts === null) return;
  const { conditionalStatus, hasRateLimit, serverTime } = facts as Awaited<
    ReturnType<typeof agent.probe.probeList>
  >;
  await stage.check('conditional', async () => {
    if (conditionalStatus === null) return { status: 'not-supported', text: texts.noEtag };
    return conditionalStatus === 304
      ? { status: 'passed', text: texts.conditional }
      : { status: 'failed', text: texts.notConditional(conditionalStatus) };
  });
  await stage.check('rate-limit', async () =>
    hasRateLimit
      ? { status: 'passed', text: texts.rateLimit }
      : { status: 'not-supported', text: texts.noRateLimit },
  );
  await stage.check('clock', async () => {
    if (serverTime === null) return { status: 'not-supported', text: texts.noClock };
    const differenceMs = Math.abs(serverTime - clock.now());
    return differenceMs <= clockToleranceMs
      ? { status: 'passed', text: texts.clockRight }
      : { status: 'failed', text: texts.clockWrong(Math.round(differenceMs / 1_000)) };
  });
}
