import { openAgent } from './open-agent.ts';
import { keep, openPlace, pollPlainly } from './open-place.ts';

/** A bare adapter of the Agent Client Protocol: what the agent says that it has counts as told. The session is loaded again after a kill. */
const place = openPlace();
const session = keep<string>(place, 'session.json');
const executor = openAgent(place);
const waiting: string[] = [];
const polling = pollPlainly(place, async (text) => {
  if (!isAtWork || (await executor.steer(text, {})) !== 'handed') waiting.push(text);
});
let isAtWork = false;
const known = session.read();
const { id } = await executor.open(known, {});
await session.write(id);
const texts = [known === null ? place.task : 'Go on.'];
await polling.poll();
do {
  isAtWork = true;
  for await (const event of executor.turn([...texts.splice(0), ...waiting.splice(0)], {}))
    if (event.type === 'tool-end') await polling.poll();
  isAtWork = false;
  await polling.poll();
} while (waiting.length > 0);
await polling.stop();
await executor.close();
