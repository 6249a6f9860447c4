import type { TaskLabels } from '@agent/orchestrator';
import type { PlatformLabels } from './section.ts';

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
