import { CommentDetectionManager } from '@agent/comment-detection';
import { type Checkpoint, resumeFrom, withComments } from '@agent/comment-detection/ai-sdk';
import { generateText, isStepCount, type ModelMessage } from 'ai';
import { keep, openModel, openPlace, openSource, toHearing, work } from './open-place.ts';

const place = openPlace();
const kept = keep<Checkpoint>(place, 'checkpoint.json');
const manager = new CommentDetectionManager(openSource(place), toHearing(place));
const from = kept.read();
const messages: ModelMessage[] =
  from === null ? [{ role: 'user', content: place.task }] : resumeFrom(from, manager);
await withComments(generateText, manager, { onCheckpoint: kept.write })({
  ...{ model: openModel(place), messages, tools: { work }, stopWhen: isStepCount(100) },
});
