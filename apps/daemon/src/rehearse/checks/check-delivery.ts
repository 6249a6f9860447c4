import { CheckFailure } from '@agent/rehearsal';
import type { RequestState } from '@agent/rehearsal/repository';
import { describeEnd, type RehearsalContext } from '../rehearsal-context.ts';

/** Waits for the draft, and has it reviewed. */
export async function checkDelivery(context: RehearsalContext): Promise<void> {
  let request: RequestState | null = null;
  await context.check('draft', async () => {
    request = await context.until('model', () => findDraft(context));
    const { texts } = context.parts;
    return request.isDraft
      ? { status: 'passed', text: texts.draftOpened(request.url) }
      : { status: 'not-supported', text: texts.notDraft(request.url) };
  });
  if (request !== null) await checkReview(context, request);
}

/** Finds the draft of the run once the run waits for reviews. @throws Error if the run ended without one */
async function findDraft(context: RehearsalContext): Promise<RequestState | null> {
  const { agent, texts, created } = context.parts;
  const run = await context.readRun();
  if (run === null) return null;
  created.branch = run.facts.find(({ name }) => name === 'branch')?.value ?? created.branch;
  const { state } = run.row;
  if (state === 'ended')
    throw new CheckFailure(
      texts.endedWithoutDraft(...describeEnd(run)),
      texts.fixesByCause.endedWithoutDraft,
    );
  const request = created.branch === null ? null : await agent.requests.find(created.branch);
  if (request !== null) created.request = { number: request.number, url: request.url };
  return state === 'in_review' ? request : null;
}

async function checkReview(context: RehearsalContext, request: RequestState): Promise<void> {
  const { agent, agentLogin, person, texts, clock } = context.parts;
  await context.check('review', async () => {
    const at = await agent.requests.findLine(request);
    if (at === null) return { status: 'failed', text: texts.nothingToReview };
    const id = await person.review(request, at, texts.reviewComment);
    const postedAt = clock.now();
    await context.until('model', async () => {
      const all = await agent.requests.listLineComments(request.number);
      return all.some(({ author, replyTo }) => author === agentLogin && replyTo === id) ? true : null;
    });
    await context.until('model', async () =>
      (await context.readRun())?.row.state === 'in_review' ? true : null,
    );
    return { status: 'passed', text: texts.reviewAnswered(context.seconds(postedAt)) };
  });
}

/** Checks the end of the run: one report, and no comment delivered twice. */
export async function checkReport(context: RehearsalContext): Promise<void> {
  const { agentLogin, texts } = context.parts;
  await context.check('report', async () => {
    const counts = [...(await context.countDeliveries()).values()];
    const repeated = counts.filter((count) => count > 1).length;
    if (repeated > 0) return { status: 'failed', text: texts.deliveredTwice(repeated) };
    const own = await context.until('platform', async () => {
      const found = (await context.listComments()).filter(({ author }) => author === agentLogin);
      return found.length > 0 ? found : null;
    });
    const bodies = own.map(({ body }) => body);
    if (new Set(bodies).size !== bodies.length) return { status: 'failed', text: texts.postedTwice };
    return { status: 'passed', text: texts.reported(own.length) };
  });
}

/** Checks whether a webhook of the platform arrived; a delivery can take a while. */
export async function checkWebhook(context: RehearsalContext): Promise<void> {
  const { child, hasWebhook, texts } = context.parts;
  const has = (message: string) => child.lines.some((line) => line.message === message);
  await context.check('webhook', async () => {
    if (!hasWebhook) return { status: 'not-supported', text: texts.noWebhook };
    try {
      // One that is refused says enough: all deliveries are signed with the same secret.
      const isReceived = await context.until('platform', async () => {
        if (has('received webhook')) return true;
        return has('refused webhook') ? false : null;
      });
      return isReceived
        ? { status: 'passed', text: texts.webhookArrived }
        : { status: 'failed', text: texts.webhookRefused };
    } catch (error) {
      context.parts.signal.throwIfAborted();
      if (child.problem !== null) throw error;
      return { status: 'failed', text: texts.webhookMissing };
    }
  });
}
