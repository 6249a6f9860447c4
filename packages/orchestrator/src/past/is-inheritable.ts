import type { ContextInheritanceConfig } from '@agent/context-inheritance';

/** Whether a later run could take over from one that ended like this: then a summary of it is worth its cost. */
export function isInheritable(
  status: string,
  { enabled, include_failed_contexts: includesFailed }: ContextInheritanceConfig,
): boolean {
  if (!enabled) return false;
  return status === 'completed' || status === 'stopped' || (status === 'failed' && includesFailed);
}
