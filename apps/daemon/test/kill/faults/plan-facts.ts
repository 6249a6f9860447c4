import type { Evidence, RunOnDisk } from './evidence.ts';

/** A line of a run's record about its plan, with what the checker reads of it. */
export interface PlanFact {
  readonly type: string;
  readonly task_id?: string;
  readonly state?: string;
  readonly attempt?: number;
  readonly id?: string;
  readonly how?: string;
  readonly plan_hash?: string;
  readonly cause?: string;
  readonly executed?: boolean;
  readonly llm_decision?: { readonly replan_type: string; readonly target_phase: string };
  readonly verification_result?: { readonly verification_passed: boolean };
  readonly plan?: Plan;
  readonly updated_plan?: Plan;
  readonly done_task_ids?: readonly string[];
}

interface Plan {
  readonly action_plan: { readonly actions: readonly { readonly task_id: string }[] };
}

/** The facts about the plan of a run, in the order of its record. A torn last line is none. */
export function readPlanFacts({ lines }: RunOnDisk): readonly PlanFact[] {
  return lines.flatMap((text) => {
    if (!text.includes('"planning"')) return [];
    const line = parseLine(text);
    return line?.fact === 'planning' ? [line.data as PlanFact] : [];
  });
}

/** Tells how the plans of a trial ended, so that one sees what its seeds had happen. */
export function describePlans({ runs }: Pick<Evidence, 'runs'>): readonly string[] {
  return runs.flatMap((run) => {
    const facts = readPlanFacts(run);
    if (facts.length === 0) return [];
    const voided = facts.filter(({ type, state }) => type === 'approval' && state === 'void').length;
    const { status = 'open' } = run.outcome ?? {};
    return [`ended ${status}${voided > 0 ? `, ${voided} approvals voided` : ''}`];
  });
}

function parseLine(text: string): { readonly fact?: string; readonly data?: unknown } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
