import type { ActAnswer, AuditEntry, AuditLog } from '@agent/orchestrator/watch';
import type { Logger } from '@agent/text';
import type { Context } from 'hono';
import type { PageEnv } from './admission.ts';
import { createFormOnce, readForm } from './forms.ts';
import { type ProblemKind, respondProblem } from './respond.ts';
import type { FormSigner } from './sessions.ts';

/** Act that a person asks for by a form. */
export interface AskedAct {
  readonly action: string;
  /** Run that it is about; null for none. */
  readonly run: string | null;
  /** Tells what it is about, and whether it makes sense now; null if that does not exist. */
  readonly find: () => Promise<ActTarget | null>;
  readonly act: () => Promise<ActAnswer>;
  /** Address that shows what came of it. */
  readonly shownAt: string;
}

/** Object of an act. */
export interface ActTarget {
  /** Name of the task, such as `acme/shop#42`; null for an act that has none. */
  readonly name: string | null;
  readonly isOffered: boolean;
}

/** Reads the act of a form; null for a form that asks for none. */
export type ReadAct = (form: URLSearchParams, actor: string) => AskedAct | null;

/** Takes the forms of people who are logged in. */
export type TakeForm = (context: Context<PageEnv>, readAct: ReadAct) => Promise<Response>;

export interface AuditedFormsOptions {
  readonly audit: Pick<AuditLog, 'write'>;
  readonly signer: FormSigner;
  readonly now: () => number;
  /** Creates the id of an entry. */
  readonly createId: () => string;
  readonly logger: Logger;
}

type Answer = { readonly kind: 'done' } | { readonly kind: ProblemKind; readonly reason: string | null };

/**
 * Creates what takes forms: each is applied once. An act has an entry in the audit log before it has any effect; its result
 * replaces that entry.
 */
export function createAuditedForms(options: AuditedFormsOptions): TakeForm {
  const { signer } = options;
  const once = createFormOnce();
  return async (context, readAct) => {
    const visit = context.get('visit');
    const binding = context.get('binding');
    const { actor } = visit;
    if (binding === null || actor === null) return respondProblem(context, 'unauthorized', { visit });
    const form = await readForm(context);
    if (form === null) return respondProblem(context, 'mediaType', { visit });
    if (!signer.isSigned(form.get('csrf') ?? '', binding))
      return respondProblem(context, 'forbidden', { visit });
    const asked = readAct(form, actor);
    const nonce = form.get('nonce') ?? '';
    if (asked === null || !/^[\w-]{16,100}$/.test(nonce))
      return respondProblem(context, 'badRequest', { visit });
    const key = JSON.stringify([binding, nonce]);
    const answer = await once.run(key, () => obey(asked, { ...options, actor }), {
      isTried: ({ kind }) => kind !== 'auditFailed',
    });
    if (answer.kind !== 'done') return respondProblem(context, answer.kind, { visit, reason: answer.reason });
    return context.redirect(asked.shownAt, 303);
  };
}

async function obey(
  asked: AskedAct,
  { audit, actor, now, createId, logger }: AuditedFormsOptions & { readonly actor: string },
): Promise<Answer> {
  const found = await asked.find();
  if (found === null) return { kind: 'notFound', reason: null };
  const { action, run } = asked;
  const entry = { id: createId(), at: now(), actor, via: 'web', action, target: found.name, run } as const;
  try {
    await audit.write({ ...entry, outcome: found.isOffered ? 'started' : 'refused', reason: null });
  } catch (error) {
    logger.error({ err: error }, 'failed to write audit log; action was not run');
    return { kind: 'auditFailed', reason: null };
  }
  if (!found.isOffered) return { kind: 'conflict', reason: null };
  const result = await act(asked, logger);
  await audit.write({ ...entry, ...result }).catch((error: unknown) => {
    logger.error({ err: error }, 'failed to write action result to audit log');
  });
  if (result.outcome === 'failed') return { kind: 'failed', reason: null };
  return result.outcome === 'accepted' ? { kind: 'done' } : { kind: 'conflict', reason: result.reason };
}

async function act(
  asked: AskedAct,
  logger: Logger,
): Promise<{ readonly outcome: AuditEntry['outcome']; readonly reason: string | null }> {
  try {
    const answer = await asked.act();
    const { accepted, reason = null } = { reason: null, ...answer };
    return { outcome: accepted ? 'accepted' : 'refused', reason };
  } catch (error) {
    logger.error({ err: error, action: asked.action, run: asked.run }, 'failed to run action');
    return { outcome: 'failed', reason: null };
  }
}
