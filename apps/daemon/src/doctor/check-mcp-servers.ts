import { connectMcpServers } from '@agent/workspace/mcp';
import type { DoctorParts } from './doctor-parts.ts';
import { reportOn } from './finding.ts';

/** Starts every configured MCP server once, and ends it again. */
export async function checkMcpServers(parts: DoctorParts): Promise<void> {
  const { loaded, texts, redact, logger, signal } = parts;
  const { config, environment, directory } = loaded;
  if (Object.keys(config.mcp_servers).length === 0) return;
  const report = reportOn('mcp', parts.report);
  const { servers, close } = await connectMcpServers(config.mcp_servers, {
    environment,
    directory,
    logger,
    redact,
    signal,
  });
  try {
    for (const { name, status, tools, missing, error } of servers) {
      if (status === 'connected') report.ok(texts.serverOk(name, tools));
      else report.failed(texts.serverFailed(name, error ?? ''), { fix: texts.fixServer(name) });
      if (missing.length > 0)
        report.failed(texts.serverLacks(name, missing.join(', ')), { fix: texts.fixToolList(name) });
    }
  } finally {
    await close();
  }
}
