import {
  createAssignmentTrigger,
  createLabelTrigger,
  type TaskLabels,
  type TaskTrigger,
} from '@agent/orchestrator';
import type { Platform } from '@agent/platforms';
import type { BuiltInSection, PlatformLabels } from './section.ts';

/** The configured names of our labels, by the state that each stands for. */
export function toTaskLabels(config: PlatformLabels): TaskLabels {
  return {
    waiting: config.bot_label,
    processing: config.processing_label,
    completed: config.done_label,
    failed: config.failed_label,
    paused: config.paused_label,
    stopped: config.stopped_label,
  };
}

/** Creates the trigger that a section of the configuration names. */
export function toTrigger(platform: Platform, section: BuiltInSection): TaskTrigger {
  return section.trigger === 'assignment'
    ? createAssignmentTrigger(platform)
    : createLabelTrigger(platform, toTaskLabels(section));
}
