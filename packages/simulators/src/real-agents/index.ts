export { installAgent } from './install-agent.ts';
export { findOpencode, installOpencode, opencodeVersion, toOpencodeEnvironment } from './opencode.ts';
export { type RealAgent, realAgents } from './real-agents.ts';
