import type { DeskRequest } from '../desk/desk.ts';
import { CheckFailure } from '../rehearsal-error.ts';
import { describeEnd, type Stage } from '../stage.ts';

/** Waits for the draft, and has it reviewed. */
export async function playDelivery(stage: Stage): Promise<void> {
  let request: DeskRequest | null = null;
  await stage.check('draft', async () => {
    request = await stage.until('model', () => findDraft(stage));
    const { texts } = stage.parts;
    return request.isDraft
      ? { status: 'passed', text: texts.draftOpened(request.url) }
      : { status: 'not-supported', text: texts.notDraft(request.url) };
  });
  if (request !== null) await playReview(stage, request);
}

/** Finds the draft of the run once the run waits for reviews. @throws Error if the run ended without one */
async function findDraft(stage: Stage): Promise<DeskRequest | null> {
  const { agent, texts, traces } = stage.parts;
  const run = await stage.readRun();
  if (run === null) return null;
  traces.branch = run.facts.find(({ name }) => name === 'branch')?.value ?? traces.branch;
  const { state } = run.row;
  if (state === 'ended')
    throw new CheckFailure(
      texts.endedWithoutDraft(...describeEnd(run)),
      texts.fixesByCause.endedWithoutDraft,
    );
  const request = traces.branch === null ? null : await agent.requests.find(traces.branch);
  if (request !== null) traces.request = { number: request.number, url: request.url };
  return state === 'in_review' ? request : null;
}

async function playReview(stage: Stage, request: DeskRequest): Promise<void> {
  const { agent, agentLogin, person, texts, clock } = stage.parts;
  await stage.check('review', async () => {
    const at = await agent.requests.findLine(request);
    if (at === null) return { status: 'failed', text: texts.nothingToReview };
    const id = await person.review(request, at, texts.reviewComment);
    const postedAt = clock.now();
    await stage.until('model', async () => {
      const all = await agent.requests.listLineComments(request.number);
      return all.some(({ author, replyTo }) => author === agentLogin && replyTo === id) ? true : null;
    });
    await stage.until('model', async () =>
      (await stage.readRun())?.row.state === 'in_review' ? true : null,
    );
    return { status: 'passed', text: texts.reviewAnswered(stage.seconds(postedAt)) };
  });
}

/** Checks the end of the run: one report, and no comment delivered twice. */
export async function checkReport(stage: Stage): Promise<void> {
  const { agentLogin, texts } = stage.parts;
  await stage.check('report', async () => {
    const counts = [...(await stage.countDeliveries()).values()];
    const repeated = counts.filter((count) => count > 1).length;
    if (repeated > 0) return { status: 'failed', text: texts.deliveredTwice(repeated) };
    const own = await stage.until('platform', async () => {
      const found = (await stage.listComments()).filter(({ author }) => author === agentLogin);
      return found.length > 0 ? found : null;
    });
    const bodies = own.map(({ body }) => body);
    if (new Set(bodies).size !== bodies.length) return { status: 'failed', text: texts.postedTwice };
    return { status: 'passed', text: texts.reported(own.length) };
  });
}

/** Checks whether a webhook of the platform arrived; a delivery can take a while. */
export async function checkWebhook(stage: Stage): Promise<void> {
  const { child, hasWebhook, texts } = stage.parts;
  const has = (message: string) => child.lines.some((line) => line.message === message);
  await stage.check('webhook', async () => {
    if (!hasWebhook) return { status: 'not-supported', text: texts.noWebhook };
    try {
      await stage.until('platform', async () => (has('received webhook') ? true : null));
      return { status: 'passed', text: texts.webhookArrived };
    } catch (error) {
      stage.parts.signal.throwIfAborted();
      if (child.problem !== null) throw error;
      const text = has('refused webhook') ? texts.webhookRefused : texts.webhookMissing;
      return { status: 'failed', text };
    }
  });
}
