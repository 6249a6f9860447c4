import { CommentDetectionManager } from '@agent/comment-detection';
import { type Checkpoint, resumeFrom, withComments } from '@agent/comment-detection/ai-sdk';
import { isStepCount, type ModelMessage, ToolLoopAgent } from 'ai';
import { keep, openModel, openPlace, openSource, toHearing, work } from './open-place.ts';

const place = openPlace();
const kept = keep<Checkpoint>(place, 'checkpoint.json');
const manager = new CommentDetectionManager(openSource(place), toHearing(place));
const from = kept.read();
const messages: ModelMessage[] =
  from === null ? [{ role: 'user', content: place.task }] : resumeFrom(from, manager);
const agent = new ToolLoopAgent({ model: openModel(place), tools: { work }, stopWhen: isStepCount(100) });
const { fullStream } = await withComments(agent, manager, { onCheckpoint: kept.write }).stream({ messages });
for await (const part of fullStream) if (part.type === 'error') throw part.error;
