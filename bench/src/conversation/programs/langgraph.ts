import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { generateText, jsonSchema, type ModelMessage } from 'ai';
import { listNewComments, openModel, openPlace } from './open-place.ts';

/**
 * LangGraph with its checkpointer for PostgreSQL, each step synced: the messages and the number of the last comment are in one state, read
 * before each model call and once more before the end.
 */
const place = openPlace();
const State = Annotation.Root({
  messages: Annotation<ModelMessage[]>({ reducer: (all, more) => [...all, ...more], default: () => [] }),
  last: Annotation<number>({ reducer: (_, last) => last, default: () => 0 }),
});
type Now = typeof State.State;

async function listen({ last }: Now): Promise<Partial<Now>> {
  const news = await listNewComments(place, { after: last });
  return {
    messages: news.map(({ text }) => ({ role: 'user', content: text })),
    last: news.at(-1)?.id ?? last,
  };
}

async function ask({ messages }: Now): Promise<Partial<Now>> {
  const inputSchema = jsonSchema<Record<string, never>>({ type: 'object', properties: {} });
  const tools = { work: { description: 'Does a piece of the work.', inputSchema } };
  const { response } = await generateText({ model: openModel(place), messages, tools });
  return { messages: response.messages };
}

async function act({ messages }: Now): Promise<Partial<Now>> {
  const output = { type: 'text' as const, value: 'done' };
  const content = listCalls(messages).map(({ toolCallId, toolName }) => ({
    ...{ type: 'tool-result' as const, toolCallId, toolName, output },
  }));
  return { messages: [{ role: 'tool', content }] };
}

function listCalls(messages: readonly ModelMessage[]) {
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || typeof last.content === 'string') return [];
  return last.content.filter((part) => part.type === 'tool-call');
}

if (place.postgresUrl === null) throw new Error('This program needs a PostgreSQL.');
const schema = `play_${place.thread.number}`;
const checkpointer = PostgresSaver.fromConnString(place.postgresUrl, { schema });
await checkpointer.setup();
const graph = new StateGraph(State)
  .addNode('listen', listen)
  .addNode('ask', ask)
  .addNode('act', act)
  .addNode('listenLast', listen)
  .addEdge(START, 'listen')
  .addEdge('listen', 'ask')
  .addConditionalEdges('ask', ({ messages }) => (listCalls(messages).length > 0 ? 'act' : 'listenLast'))
  .addEdge('act', 'listen')
  .addConditionalEdges('listenLast', ({ messages }) => (messages.at(-1)?.role === 'user' ? 'ask' : END))
  .compile({ checkpointer });
const config = { configurable: { thread_id: '1' }, durability: 'sync' as const, recursionLimit: 1_000 };
const known = await graph.getState(config);
const isBegun = (known.values as Partial<Now>).messages !== undefined;
await graph.invoke(isBegun ? null : { messages: [{ role: 'user', content: place.task }] }, config);
await checkpointer.end();
