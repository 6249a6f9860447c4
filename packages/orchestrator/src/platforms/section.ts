import type { PlaceLanguage } from '@agent/platforms';
import { tokenFileShape } from '@agent/platforms/credentials';
import { httpUrl, seconds, variableName } from '@agent/workspace/config';
import { z } from 'zod';
import type { TaskLabels } from '../triggers/label-trigger.ts';
import { triggerNames } from './names.ts';
import { findExcludedName, patternShape } from './place-settings.ts';
import { requestBudgetsShape } from './request-budgets.ts';

const label = (name: string) => z.string().trim().min(1).max(50).default(name);

/**
 * Labels of one platform; together they are the states of a task.
 *
 * @see docs/requirements.md RL-1
 */
export const labelsShape = {
  bot_label: label('coding agent'),
  processing_label: label('coding agent processing'),
  done_label: label('coding agent done'),
  partial_label: label('coding agent partial'),
  failed_label: label('coding agent failed'),
  paused_label: label('coding agent paused'),
  stopped_label: label('coding agent stopped'),
};

const labels = z.object(labelsShape);

/** The configured names of a platform's labels. */
export type PlatformLabels = z.infer<typeof labels>;

/** Lists the configured names of our labels, by the state that each stands for, in the order of a task's life. */
export function toTaskLabels(labels: PlatformLabels) {
  return {
    waiting: labels.bot_label,
    processing: labels.processing_label,
    completed: labels.done_label,
    partial: labels.partial_label,
    failed: labels.failed_label,
    paused: labels.paused_label,
    stopped: labels.stopped_label,
  } satisfies TaskLabels;
}

/** Way in which people give threads to the agent: by `bot_label`, by assigning them to its account, or by mentioning it. */
export const triggerShape = { trigger: z.enum(triggerNames).default('label') };

/** Keys that the section of every built-in platform has, beside its labels and its list of places. */
export function accountShape(defaults: {
  readonly baseUrl: string;
  readonly tokenVariable: string;
  readonly language: PlaceLanguage;
}) {
  return {
    ...patternShape(defaults.language),
    base_url: httpUrl.default(defaults.baseUrl),
    token_env: variableName.default(defaults.tokenVariable),
    ...tokenFileShape,
    username: z.string().min(1).nullable().default(null),
    bot_name: z.string().min(1).nullable().default(null),
    ...triggerShape,
    timeout_seconds: seconds.default(30),
    write_spacing_ms: z.number().int().min(0).max(60_000).default(1_000),
    /** Limits that the daemon keeps by itself. */
    request_budgets: requestBudgetsShape.default({}),
  };
}

const language = { noun: 'repository', subgroups: true };
const account = z.object(
  accountShape({ baseUrl: 'https://platform.example', tokenVariable: 'TOKEN', language }),
);

/** The part of a section that is alike on all built-in platforms. */
export type BuiltInSection = z.infer<typeof account> & PlatformLabels;

/**
 * A platform's section. Platforms take labels for one that differ in case alone; two states with one label would make the
 * daemon begin the task again that it has just ended. Where threads are given in another way, labels mean nothing.
 */
export function withDifferentLabels<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape).superRefine((platform, context) => {
    const { trigger = 'label' } = platform as { readonly trigger?: string };
    if (trigger !== 'label') return;
    const seen = new Map<string, string>();
    for (const key of Object.keys(labelsShape)) {
      const name = String((platform as Record<string, unknown>)[key]);
      const folded = name.toLowerCase();
      const other = seen.get(folded);
      if (other !== undefined) {
        const message = `is the same label as ${other} ("${name}"). Use a different label for each state; case is ignored.`;
        context.addIssue({ code: 'custom', path: [key], message });
      }
      seen.set(folded, other ?? key);
    }
  });
}

/** Refuses a name in the list of places, at this key, that is excluded, too. */
export function refuseExcludedNames<List extends string>(list: List) {
  return (
    section: Record<List, readonly string[]> & { readonly exclude: readonly string[] },
    context: z.RefinementCtx,
  ): void => {
    const message = findExcludedName({ entries: section[list], exclude: section.exclude });
    if (message !== null) context.addIssue({ code: 'custom', path: [list], message });
  };
}
