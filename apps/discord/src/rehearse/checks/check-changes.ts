import type { Verdict } from '@agent/rehearsal';
import { askForDeletion, askForEdit } from '../ask-user.ts';
import type { RehearsalContext } from '../rehearsal-context.ts';
import { post, untilConnected } from './check-conversation.ts';

/** Makes a check while requests to the model wait. */
async function checkHeld(
  context: RehearsalContext,
  name: 'edit' | 'deletion' | 'queue' | 'crash',
  make: () => Promise<Verdict>,
): Promise<boolean> {
  const { model, texts } = context.parts;
  return context.check(name, async () => {
    if (model === null) return { status: 'not-supported', text: texts.noHold };
    model.hold();
    try {
      return await make();
    } finally {
      model.release();
    }
  });
}

/** Waits until the model was asked for the answer to a message. */
async function untilAsked(context: RehearsalContext, marker: string): Promise<void> {
  await context.until('platform', async () => (context.listModelRequests(marker).length > 0 ? true : null));
}

/** Checks that a message edited before its answer is answered with its new text. */
export async function checkEdit(context: RehearsalContext): Promise<void> {
  const { texts, created, model } = context.parts;
  await checkHeld(context, 'edit', async () => {
    const question = await post(context, 3, texts.messages.original);
    await untilAsked(context, question.marker);
    const marker = `${created.id}-4`;
    const instruction = texts.steps.edit(texts.messages.edited(marker));
    await askForEdit(context, question, { marker, instruction });
    const isAsked = await context.waitFor('platform', async () =>
      context.listModelRequests(marker).length > 0 ? true : null,
    );
    model?.release();
    await context.untilAnswered(question);
    return isAsked === null
      ? { status: 'failed', text: texts.editIgnored }
      : { status: 'passed', text: texts.editApplied };
  });
}

/** Checks that a message deleted before its answer is not answered. */
export async function checkDeletion(context: RehearsalContext): Promise<void> {
  const { texts } = context.parts;
  await checkHeld(context, 'deletion', async () => {
    const question = await post(context, 5, texts.messages.deleted);
    await untilAsked(context, question.marker);
    await askForDeletion(context, question);
    const isAbandoned = await context.waitFor('platform', async () =>
      context.listModelRequests(question.marker).every(({ state }) => state === 'abandoned') ? true : null,
    );
    return isAbandoned === null
      ? { status: 'failed', text: texts.deletionIgnored }
      : { status: 'passed', text: texts.deletionApplied };
  });
}

/** Checks that messages that arrive while the model works are each answered once, in their order. */
export async function checkQueue(context: RehearsalContext): Promise<void> {
  const { texts, model } = context.parts;
  await checkHeld(context, 'queue', async () => {
    const first = await post(context, 6, texts.messages.first);
    await untilAsked(context, first.marker);
    const second = await post(context, 7, texts.messages.second);
    model?.release();
    const answers = [await context.untilAnswered(first), await context.untilAnswered(second)];
    const counts = [first, second].map(({ marker }) => context.listModelRequests(marker).length);
    if (counts.some((count) => count > 1)) return { status: 'failed', text: texts.askedTwice };
    const [one = 0n, other = 0n] = answers.map(({ id }) => BigInt(id));
    return one < other
      ? { status: 'passed', text: texts.queued }
      : { status: 'failed', text: texts.wrongOrder };
  });
}

/** Kills the bot while it answers, and checks that after a restart each message is answered once. */
export async function checkCrash(context: RehearsalContext): Promise<void> {
  const { texts, child, model } = context.parts;
  await checkHeld(context, 'crash', async () => {
    const begun = await post(context, 8, texts.messages.first);
    await untilAsked(context, begun.marker);
    await child.kill();
    const missed = await post(context, 9, texts.messages.second);
    model?.release();
    child.start();
    await untilConnected(context);
    for (const question of [begun, missed]) {
      const isAnswered = await context.waitFor('model', async () =>
        (await context.findAnswers(question)).length > 0 ? true : null,
      );
      if (isAnswered === null) return { status: 'failed', text: texts.notRecovered };
      await context.untilAnswered(question);
    }
    return { status: 'passed', text: texts.recovered };
  });
}
