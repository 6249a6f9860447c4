import { generateText, isStepCount, type ModelMessage } from 'ai';
import { keep, openModel, openPlace, pollPlainly, work } from './open-place.ts';

/** An array that the plain loop fills and `prepareStep` empties, with the conversation kept after each step. */
const place = openPlace();
const kept = keep<ModelMessage[]>(place, 'messages.json');
const messages = kept.read() ?? [{ role: 'user' as const, content: place.task }];
const waiting: string[] = [];
const polling = pollPlainly(place, (text) => void waiting.push(text));
await polling.poll();
let all = [...messages];
await generateText({
  ...{ model: openModel(place), messages, tools: { work }, stopWhen: isStepCount(100) },
  prepareStep: ({ messages: asked }) => {
    const said = waiting.splice(0).map((content) => ({ role: 'user' as const, content }));
    all = [...asked, ...said];
    return { messages: all };
  },
  onStepEnd: async ({ response }) => {
    all.push(...response.messages);
    await kept.write(all);
  },
});
await polling.stop();
