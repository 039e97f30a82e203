// What a page does beyond showing: keys, the slider, and what happens while it is looked at. Pages can be read without.

import { listen } from "./keys.js";
import { follow } from "./live.js";
import { slide } from "./slider.js";

listen();
slide();
follow();
document.documentElement.dataset.ready = ""; // keys are heard from here on
