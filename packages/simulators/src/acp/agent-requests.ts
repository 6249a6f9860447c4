import {
  type AgentContext,
  methods,
  type RequestPermissionResponse,
  type ToolCallContent,
} from '@agentclientprotocol/sdk';
import type { AgentScript } from './agent-script.ts';
import type { SessionRecord } from './session-files.ts';

interface AskedCall {
  readonly sessionId: string;
  readonly client: AgentContext;
  readonly id: string;
  readonly title: string;
  /** Tells whether it asks again where it was refused. */
  readonly asksForever: () => boolean;
}

/** Asks for the permission that a script has it ask for. @returns true where it is given */
export async function askPermission(
  asks: NonNullable<AgentScript['asks']>,
  { sessionId, client, id, title, asksForever }: AskedCall,
): Promise<boolean> {
  const locations = asks.path === null ? [] : [{ path: asks.path }];
  const content = [{ type: 'content' as const, content: { type: 'text' as const, text: `about ${title}` } }];
  const toolCall = { toolCallId: id, title, kind: asks.kind, locations, content };
  const options = [
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' as const },
    { optionId: 'no', name: 'No', kind: 'reject_once' as const },
  ];
  do {
    const { outcome } = await client.request<RequestPermissionResponse>(
      methods.client.session.requestPermission,
      { sessionId, toolCall, options },
    );
    if (outcome.outcome === 'selected' && outcome.optionId === 'yes') return true;
  } while (asksForever());
  return false;
}

interface ShownCall extends Pick<AskedCall, 'sessionId' | 'client' | 'id'> {
  readonly inPieces: boolean;
}

/** Gives what a call printed as its content, or tells it in pieces before. */
export async function showOutput(
  text: string,
  { sessionId, client, id, inPieces }: ShownCall,
): Promise<ToolCallContent[]> {
  if (!inPieces) return [{ type: 'content', content: { type: 'text', text } }];
  const half = Math.floor(text.length / 2);
  for (const data of [text.slice(0, half), text.slice(half)]) {
    const _meta = { terminal_output_delta: { data, terminal_id: id } };
    const update = { sessionUpdate: 'tool_call_update' as const, toolCallId: id, _meta };
    await client.notify(methods.client.session.update, { sessionId, update });
  }
  return [{ type: 'terminal', terminalId: id }];
}

/** Asks a model's endpoint as a conversation would; whatever it says, the script goes on. */
export async function askEndpoint(baseUrl: string, records: readonly SessionRecord[]): Promise<void> {
  const messages = records.map((record) => {
    if (record.role === 'user') return { role: 'user', content: record.texts.join('\n') };
    return { role: 'assistant', content: record.role === 'tool' ? record.title : record.text };
  });
  const body = JSON.stringify({ model: 'scripted', messages });
  await (await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body })).arrayBuffer();
}
