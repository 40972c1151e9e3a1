// The page of the tests of the replay: #SCENE or #SCENE,COUNT shows a scene of replay_scenes.mjs.
import { PerspectiveCamera, Ray, Vector3 } from "three";
import { embeddedFrames, servedFrames } from "../src/frames.ts";
import { Culling } from "../src/replay/culling.ts";
import { pickBody } from "../src/replay/picking.ts";
import { naturalSpeed, speedChoices } from "../src/replay/player.ts";
import { Replay } from "../src/replay/replay.ts";
import "../src/style.css";
import * as scenes from "./replay_scenes.mjs";

const [name, ...numbers] = location.hash.slice(1).split(",");
const { scene, frames } = scenes[name](...numbers.map(Number));
const events = { times: [], picks: [] };
const replay = new Replay(document.getElementById("host"), scene, frames, {
  onTime: (t) => events.times.push(t),
  onPick: (body) => events.picks.push(body),
});
const functions = { embeddedFrames, naturalSpeed, pickBody, servedFrames, speedChoices };
window.demo = { replay, events, scene, frames, Culling, PerspectiveCamera, Ray, Vector3, ...functions };
