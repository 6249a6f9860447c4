import { tryAgent } from '@agent/orchestrator';
import { isAgentOffline, listExecutorMistakes, type RunSettings } from '@agent/orchestrator/config';
import type { Environment } from '@agent/workspace';
import { cleanLine } from '../text/terminal-text.ts';
import { type DoctorTools, reportOn } from './finding.ts';

/** Settings of the agent that works on runs. */
export interface AgentSettings {
  readonly settings: Pick<RunSettings, 'executor' | 'limits' | 'tools'>;
  /** Names of the MCP servers of the daemon. */
  readonly servers: readonly string[];
  readonly environment: Environment;
  /** Files that commands must not see. */
  readonly hidden: readonly string[];
}

/** Starts the agent of `executor.acp` as runs do, and reports what it is and what it lacks. Reports nothing if none is configured. */
export async function checkAgent(
  { texts, report, signal }: DoctorTools,
  { settings, servers, environment, hidden }: AgentSettings,
): Promise<void> {
  if (settings.executor === null) return;
  const area = reportOn('agent', report);
  const mistakes = listExecutorMistakes({ ...settings, environment });
  for (const mistake of mistakes) area.failed(mistake, { fix: texts.fixAgent });
  if (isAgentOffline(settings)) area.warning(texts.agentOffline, { fix: texts.fixAgentOffline });
  if (servers.length > 0)
    area.warning(texts.agentWithoutMcp(servers.join(', ')), { fix: texts.fixAgentWithoutMcp });
  try {
    const facts = await tryAgent({ settings, environment, hidden, signal });
    if (facts === null) return;
    const name =
      facts.name === null ? texts.agentUnnamed : cleanLine(`${facts.name} ${facts.version ?? ''}`.trim());
    area.ok(texts.agentWorks({ ...facts, name }));
    if (!facts.loadsSessions) area.warning(texts.agentForgets, { fix: texts.fixAgentForgets });
    area.ok(texts.agentUnseen);
  } catch (error) {
    area.failed((error as Error).message, { fix: texts.fixAgent });
  }
}
