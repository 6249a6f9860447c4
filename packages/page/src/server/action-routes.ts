import type { Logger } from '@agent/text';
import type { Hono } from 'hono';
import type { AuditLog, PageReader, RunActions } from '../ports.ts';
import { runControls } from '../rooms/run-actions.ts';
import type { RunControl } from '../views.ts';
import type { PageEnv } from './admission.ts';
import { createFormOnce, readForm } from './forms.ts';
import { type ProblemKind, respondProblem } from './respond.ts';
import type { FormSigner } from './sessions.ts';
import { runAddress } from './visit.ts';

/** Parts and settings of the route of acts. */
export interface ActionRouteOptions {
  readonly reader: PageReader;
  readonly actions: RunActions;
  readonly audit: AuditLog;
  readonly signer: FormSigner;
  readonly settings: { readonly base: string; readonly now: () => number; readonly logger: Logger };
}

type Request = Parameters<RunActions['act']>[0];
type Answer = { readonly kind: 'done' } | { readonly kind: ProblemKind; readonly reason: string | null };

/** Adds the route by which people act on a run. What is asked stands in the audit log before it has any effect, and how it ended after. */
export function addActionRoutes(page: Hono<PageEnv>, options: ActionRouteOptions): void {
  const { signer, settings } = options;
  const once = createFormOnce();
  page.post('/runs/:uuid/actions', async (context) => {
    const visit = context.get('visit');
    const binding = context.get('binding');
    if (binding === null || visit.actor === null) return respondProblem(context, 'unauthorized', { visit });
    const form = await readForm(context);
    if (form === null) return respondProblem(context, 'mediaType', { visit });
    if (!signer.isSigned(form.get('csrf') ?? '', binding))
      return respondProblem(context, 'forbidden', { visit });
    const request = parseRequest(form, { uuid: context.req.param('uuid'), actor: visit.actor });
    const nonce = form.get('nonce') ?? '';
    if (request === null || !/^[\w-]{16,100}$/.test(nonce))
      return respondProblem(context, 'badRequest', { visit });
    const key = JSON.stringify([binding, nonce]);
    const answer = await once.run(key, () => obey(request, options));
    if (answer.kind !== 'done') return respondProblem(context, answer.kind, { visit, reason: answer.reason });
    return context.redirect(`${runAddress(settings, request.uuid)}?done=${request.control}`, 303);
  });
}

function parseRequest(
  form: URLSearchParams,
  { uuid, actor }: Pick<Request, 'uuid' | 'actor'>,
): Request | null {
  const control = runControls.find((known) => known === form.get('control'));
  if (control === undefined || uuid.length > 200) return null;
  const amountMicros = control === 'budget' ? parseAmount(form.get('amount') ?? '') : null;
  if (control === 'budget' && amountMicros === null) return null;
  return { uuid, control, amountMicros, actor };
}

/** `12.50` is 12,500,000; null for what is no amount. */
function parseAmount(text: string): number | null {
  if (!/^\d{1,9}(?:\.\d{1,6})?$/.test(text.trim())) return null;
  return Math.round(Number(text.trim()) * 1_000_000);
}

async function obey(
  request: Request,
  { reader, actions, audit, settings }: ActionRouteOptions,
): Promise<Answer> {
  const { uuid, control, actor } = request;
  const run = await reader.readRun(uuid, { from: null, limit: 1 });
  if (run === null) return { kind: 'notFound', reason: null };
  const append = (action: string, outcome: 'accepted' | 'refused' | 'failed', reason: string | null) =>
    audit.append({ at: settings.now(), actor, action, target: uuid, outcome, reason });
  const isOffered = run.controls.includes(control);
  try {
    await append(control, isOffered ? 'accepted' : 'refused', null);
  } catch (error) {
    settings.logger.error({ err: error }, 'the audit log could not be written; nothing was done');
    return { kind: 'auditFailed', reason: null };
  }
  if (!isOffered) return { kind: 'conflict', reason: null };
  const result = await act(request, actions, settings.logger);
  await append(resultOf(control), result.outcome, result.reason).catch((error: unknown) => {
    settings.logger.error({ err: error }, 'how an act ended could not be written into the audit log');
  });
  if (result.outcome === 'failed') return { kind: 'failed', reason: null };
  return result.outcome === 'accepted' ? { kind: 'done' } : { kind: 'conflict', reason: result.reason };
}

async function act(
  request: Request,
  actions: RunActions,
  logger: Logger,
): Promise<{ readonly outcome: 'accepted' | 'refused' | 'failed'; readonly reason: string | null }> {
  try {
    const answer = await actions.act(request);
    return answer.accepted
      ? { outcome: 'accepted', reason: null }
      : { outcome: 'refused', reason: answer.reason };
  } catch (error) {
    logger.error({ err: error, uuid: request.uuid, control: request.control }, 'an act on a run failed');
    return { outcome: 'failed', reason: null };
  }
}

/** Name of the entry that says how an act ended. */
function resultOf(control: RunControl): string {
  return `${control}-result`;
}
