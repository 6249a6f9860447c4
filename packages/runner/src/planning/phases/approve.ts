import type { RunEnding } from '../../ending.ts';
import type { PlanningFact } from '../model.ts';
import { isStale, type PlannedRun, passPoint, readRequestHash, record } from '../planned-run.ts';
import { listDone } from '../planning-state.ts';
import type { ApprovalReading } from '../ports.ts';
import { askPeople, waitFor } from './ask.ts';

/** Has the plan approved as it is: asks once, reads the answer, and pauses the run until there may be one. */
export async function approve(planned: PlannedRun): Promise<RunEnding | null> {
  const { approval, plan, planHash, tasks, revisions } = planned.log.state;
  if (plan === null || planHash === null) return null;
  const isAsked = approval?.state === 'asked' && approval.planHash === planHash;
  if (!isAsked) {
    await record(planned, [await toFact(planned, { state: 'asked' })]);
    return null;
  }
  // Comments first: an approval stands in one of them. The question before its answer: what was approved of earlier is another.
  const { ending, isDelivered } = await passPoint(planned, 'before_iteration');
  if (ending !== null) return ending;
  const id = toApprovalId(planned);
  const done = { doneTaskIds: [...listDone(tasks)], version: revisions + 1 };
  const question = { kind: 'approval', id, plan, planHash, ...done } as const;
  const isOpen = await askPeople(planned, question);
  const reading = isOpen ? await readApproval(planned, planHash) : null;
  if (reading?.state === 'given') {
    await record(planned, [await toFact(planned, { ...reading, state: 'given' })]);
    return null;
  }
  return isDelivered ? null : waitFor(planned, question);
}

/**
 * Asks once a minute whether an approval still holds: who gave it may have lost the permission, and the request may have changed.
 * What cannot be asked is no revocation.
 */
export async function isStillApproved(planned: PlannedRun): Promise<boolean> {
  const { log, run, settings, asked } = planned;
  const { approval, planHash } = log.state;
  if (settings.approval === 'off' || approval === null || planHash === null) return true;
  if (!isStale(planned, asked.approvalAt)) return true;
  asked.approvalAt = run.settings.now();
  const reason = await findVoidReason(planned, { planHash, requestSha256: approval.requestSha256 });
  if (reason === null) return true;
  await record(planned, [await toFact(planned, { state: 'void', reason })]);
  return false;
}

async function findVoidReason(
  planned: PlannedRun,
  { planHash, requestSha256 }: { readonly planHash: string; readonly requestSha256: string | null },
): Promise<string | null> {
  const current = await readRequestHash(planned);
  if (current !== null && requestSha256 !== null && current !== requestSha256) return 'request_changed';
  const reading = await readApproval(planned, planHash);
  if (reading?.state === 'revoked') return reading.reason;
  return reading?.state === 'none' ? 'withdrawn' : null;
}

async function toFact(
  planned: PlannedRun,
  {
    state,
    by = null,
    reason = null,
    words,
  }: {
    readonly state: 'asked' | 'given' | 'void';
    readonly by?: string | null;
    readonly reason?: string | null;
    readonly words?: string | null | undefined;
  },
): Promise<PlanningFact> {
  const { planHash, approval } = planned.log.state;
  const requestHash = state === 'given' ? (approval?.requestSha256 ?? null) : await readRequestHash(planned);
  return {
    ...{ type: 'approval', plan_hash: planHash ?? '', state, by, reason, request_sha256: requestHash },
    ...(words ? { words } : {}),
  };
}

/** Null where it could not be asked. */
async function readApproval({ people, run }: PlannedRun, planHash: string): Promise<ApprovalReading | null> {
  const { hardSignal: signal } = run.steering;
  try {
    return (await people?.readApproval(planHash, { signal })) ?? null;
  } catch (err) {
    run.settings.logger?.warn({ err }, 'failed to read plan approval; retrying');
    return null;
  }
}

/** Another question for each time it is asked. */
function toApprovalId({ log }: PlannedRun): string {
  const times = log.state.facts.filter((fact) => fact.type === 'approval' && fact.state === 'asked').length;
  return `approval-${times}`;
}
