import { play } from './play.ts';

await play(console.log);
