import {
  experimental_createSteering as createSteering,
  generateText,
  isStepCount,
  type ModelMessage,
} from 'ai';
import { keep, openModel, openPlace, pollPlainly, work } from './open-place.ts';

/** The SDK's own steering, with the conversation kept after each step, and no journal of what was handed over. */
const place = openPlace();
const kept = keep<ModelMessage[]>(place, 'messages.json');
const messages = kept.read() ?? [{ role: 'user' as const, content: place.task }];
const steering = createSteering();
const polling = pollPlainly(place, (text) => void steering.steer(text).catch(() => undefined));
await polling.poll();
const all = [...messages];
await generateText({
  ...{ model: openModel(place), messages, tools: { work }, stopWhen: isStepCount(100) },
  experimental_steering: steering,
  onStepEnd: async ({ experimental_steeringMessages = [], response }) => {
    all.push(...experimental_steeringMessages, ...response.messages);
    await kept.write(all);
  },
});
await polling.stop();
