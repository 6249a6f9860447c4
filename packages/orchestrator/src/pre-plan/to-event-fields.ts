import type { PrePlanningEvent } from '@agent/pre-planning';

/** What a log says of an event: which one it is and how far the phase came with it, nothing that was said or found out. */
export function toEventFields(event: PrePlanningEvent): Readonly<Record<string, unknown>> {
  const { type } = event;
  if (type === 'collection-progress') return { event: type, done: event.done, total: event.total };
  if (type === 'assumption-made') return { event: type, assumption: event.assumption.label };
  return { event: type };
}
