import { play } from './play.ts';

const stage = await play(console.log);
await stage.close();
