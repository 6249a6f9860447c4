import type { CommentPassage } from '@agent/orchestrator/watch';
import type { Verdict } from '@agent/rehearsal';
import { PlatformRequestError } from '@agent/rehearsal/repository';
import type { RehearsalContext } from '../rehearsal-context.ts';

/** Difference of the clocks that does no harm, in milliseconds. */
const clockToleranceMs = 60_000;

/** Comment that the person deleted. */
export interface DeletedComment {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Posts, edits and deletes comments while the run works. @returns the deleted comment, whose deletion the run finds later; null for none */
export async function checkComments(context: RehearsalContext): Promise<DeletedComment | null> {
  const { person, texts } = context.parts;
  const { thread } = context;
  const { stays, edited, deleted } = texts.comments;
  const ids = { stays: '', edited: '', deleted: '' };
  await context.check('comment', async () => {
    const postedAt = context.parts.clock.now();
    ids.stays = await person.comments.post(thread, stays);
    ids.edited = await person.comments.post(thread, edited);
    ids.deleted = await person.comments.post(thread, deleted);
    await checkFreshList(context, async () => ids.deleted);
    await context.until('model', () => findDelivered(context, { id: ids.stays, kind: 'added' }));
    return { status: 'passed', text: texts.delivered(context.seconds(postedAt)) };
  });
  if (ids.deleted === '') return null;
  await checkReaction(context, ids.stays, async () => {
    await context.until('platform', async () =>
      (await context.parts.agent.reactions.isSeen(thread, ids.stays)) ? true : null,
    );
    return { status: 'passed', text: texts.reacted };
  });
  await context.check('edit', () => editComment(context, ids.edited));
  const gone = await deleteComment(context, ids.deleted);
  await checkAnswers(context);
  return gone;
}

/** Checks reactions to a comment. A platform without them does not support the check. */
export async function checkReaction(
  context: RehearsalContext,
  id: string,
  check: () => Promise<Verdict>,
): Promise<void> {
  const { agent, texts } = context.parts;
  await context.check('reaction', async () => {
    try {
      await agent.reactions.isSeen(context.thread, id);
    } catch (error) {
      if (!(error instanceof PlatformRequestError) || error.status !== 404) throw error;
      return { status: 'not-supported', text: texts.noReactions };
    }
    return check();
  });
}

/** Checks that a new comment is soon in the list of the platform. `post`: returns its id. */
export async function checkFreshList(context: RehearsalContext, post: () => Promise<string>): Promise<void> {
  await context.check('fresh-list', async () => seeInList(context, await post()));
}

/** Checks that the run noticed the deletion. It looks for deletions when it is resumed, and before it finishes. */
export async function checkDeletion(context: RehearsalContext, { id, at }: DeletedComment): Promise<void> {
  await context.check('deletion', async () => {
    await context.until('model', () => findDelivered(context, { id, kind: 'deleted' }));
    return { status: 'passed', text: context.parts.texts.deletionDelivered(context.seconds(at)) };
  });
}

async function seeInList(context: RehearsalContext, id: string) {
  const { texts, clock, waitLimits } = context.parts;
  const since = clock.now();
  await context.until('platform', async () => (await findComment(context, id)) ?? null);
  const seconds = context.seconds(since);
  return clock.now() - since <= waitLimits.freshMs
    ? ({ status: 'passed', text: texts.listFresh(seconds) } as const)
    : ({ status: 'failed', text: texts.listLate(seconds) } as const);
}

async function editComment(context: RehearsalContext, id: string) {
  const { person, texts, clock } = context.parts;
  const before = await findComment(context, id);
  // Platforms tell times in seconds: an edit in the same second would show no other.
  await clock.sleep(1_100, context.parts.signal);
  await person.comments.edit(context.thread, id, texts.editedComment);
  const editedAt = clock.now();
  const after = await context.until('platform', async () => {
    const found = await findComment(context, id);
    return found?.body.includes(texts.editedComment) ? found : null;
  });
  if (after.updatedAt === before?.updatedAt) return { status: 'failed', text: texts.editHidden } as const;
  await context.until('model', () => findDelivered(context, { id, kind: 'edited' }));
  return { status: 'passed', text: texts.editDelivered(context.seconds(editedAt)) } as const;
}

async function deleteComment(context: RehearsalContext, id: string): Promise<DeletedComment | null> {
  const { person, texts, clock } = context.parts;
  const isGone = async () => ((await findComment(context, id)) === undefined ? true : null);
  try {
    await person.comments.remove(context.thread, id);
    const at = clock.now();
    await context.until('platform', isGone).catch((error: Error) => {
      throw new Error(`${texts.stillListed} ${error.message}`);
    });
    return { id, at };
  } catch (error) {
    await context.check('deletion', () => Promise.reject(error));
    return null;
  }
}

async function findComment(context: RehearsalContext, id: string) {
  return (await context.listComments()).find((comment) => comment.id === id);
}

async function findDelivered(
  context: RehearsalContext,
  { id, kind }: Pick<CommentPassage, 'id' | 'kind'>,
): Promise<CommentPassage | null> {
  const run = await context.readRun();
  const found = run?.comments.find((one) => one.id === id && one.kind === kind && one.deliveredAt !== null);
  if (found !== undefined) return found;
  context.requireUnfinished(run);
  return null;
}

/** Checks how the platform answers a list of comments: pages, conditional requests, rate limit and clock. */
export async function checkAnswers(context: RehearsalContext): Promise<void> {
  const { agent, texts, clock } = context.parts;
  let facts: Awaited<ReturnType<typeof agent.probe.probeList>> | null = null;
  await context.check('pages', async () => {
    facts = await agent.probe.probeList(context.thread);
    return facts.hasNextPage
      ? { status: 'passed', text: texts.pagesNamed }
      : { status: 'failed', text: texts.pagesMissing };
  });
  if (facts === null) return;
  const { conditionalStatus, hasRateLimit, serverTime } = facts as Awaited<
    ReturnType<typeof agent.probe.probeList>
  >;
  await context.check('conditional', async () => {
    if (conditionalStatus === null) return { status: 'not-supported', text: texts.noEtag };
    return conditionalStatus === 304
      ? { status: 'passed', text: texts.conditional }
      : { status: 'failed', text: texts.notConditional(conditionalStatus) };
  });
  await context.check('rate-limit', async () =>
    hasRateLimit
      ? { status: 'passed', text: texts.rateLimit }
      : { status: 'not-supported', text: texts.noRateLimit },
  );
  await context.check('clock', async () => {
    if (serverTime === null) return { status: 'not-supported', text: texts.noClock };
    const differenceMs = Math.abs(serverTime - clock.now());
    return differenceMs <= clockToleranceMs
      ? { status: 'passed', text: texts.clockRight }
      : { status: 'failed', text: texts.clockWrong(Math.round(differenceMs / 1_000)) };
  });
}
