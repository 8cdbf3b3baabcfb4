// A camera that sees a drawn world all round from a pose, and sensors that tell the pose with noise:
// put into a page before its own scripts.
(() => {
  // The empty page before the first one has no sensors.
  if (!isSecureContext || !globalThis.DeviceOrientationEvent) return;
  const radians = Math.PI / 180;
  const [width, height, across] = [640, 480, 66];
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const gl = canvas.getContext("webgl", { preserveDrawingBuffer: true });

  let seed = 7;
  const random = () => {
    seed = (seed * 1664525 + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

  const world = () => {
    const map = document.createElement("canvas");
    map.width = 4096;
    map.height = 2048;
    const pen = map.getContext("2d");
    const sky = pen.createLinearGradient(0, 0, 0, 1024);
    sky.addColorStop(0, "#6f9fd8");
    sky.addColorStop(1, "#dfe8ee");
    pen.fillStyle = sky;
    pen.fillRect(0, 0, 4096, 1024);
    pen.fillStyle = "#7d6a45";
    pen.fillRect(0, 1024, 4096, 1024);
    for (let one = 0; one < 9000; one++) {
      const y = 1024 + 900 * random() ** 2;
      const size = 2 + (y - 1024) / 40;
      pen.fillStyle = `hsl(${60 + 60 * random()} ${30 + 40 * random()}% ${20 + 40 * random()}%)`;
      pen.fillRect(4096 * random(), y, size * (1 + random()), size * random());
    }
    for (let one = 0; one < 260; one++) {
      const [x, size] = [4096 * random(), 15 + 60 * random()];
      pen.fillStyle = `hsl(${90 + 50 * random()} 40% ${15 + 25 * random()}%)`;
      for (let leaf = 0; leaf < 25; leaf++) {
        pen.beginPath();
        pen.arc(x + size * (random() - .5), 1010 - size * random(), size * .2 * random(), 0, 7);
        pen.fill();
      }
      pen.fillRect(x - 2, 1000, 4, 30);
    }
    for (let one = 0; one < 120; one++) {
      pen.fillStyle = `rgb(255 255 255 / ${.1 + .3 * random()})`;
      pen.fillRect(4096 * random(), 300 + 600 * random(), 30 + 160 * random(), 4 + 20 * random());
    }
    return map;
  };

  const shader = (kind, text) => {
    const made = gl.createShader(kind);
    gl.shaderSource(made, text);
    gl.compileShader(made);
    return made;
  };
  const program = gl.createProgram();
  gl.attachShader(program, shader(gl.VERTEX_SHADER,
    "attribute vec2 at; varying vec2 place; void main() { place = at; gl_Position = vec4(at, 0.0, 1.0); }"));
  gl.attachShader(program, shader(gl.FRAGMENT_SHADER, `
    precision highp float;
    varying vec2 place;
    uniform mat3 pose;
    uniform vec2 half_;
    uniform sampler2D world;
    void main() {
      vec3 ray = pose * normalize(vec3(place * half_, -1.0));
      float east = atan(ray.x, ray.y) / 6.28318530718;
      float up = asin(clamp(ray.z, -1.0, 1.0)) / 3.14159265359;
      gl_FragColor = texture2D(world, vec2(fract(east), 0.5 - up), -8.0);
    }`));
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.bindAttribLocation(program, 0, "at");
  gl.vertexAttribPointer(gl.getAttribLocation(program, "at"), 2, gl.FLOAT, false, 0, 0);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB, gl.RGB, gl.UNSIGNED_BYTE, world());
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.REPEAT);
  const tangent = Math.tan(across / 2 * radians);
  gl.uniform2f(gl.getUniformLocation(program, "half_"), tangent, tangent * height / width);

  // The columns of the rotation from the picture's axes to east, north and up.
  const columns = ({ azimuth, elevation, roll }) => {
    const [a, e, r] = [azimuth * radians, elevation * radians, roll * radians];
    const right = [Math.cos(a), -Math.sin(a), 0];
    const up = [-Math.sin(a) * Math.sin(e), -Math.cos(a) * Math.sin(e), Math.cos(e)];
    const back = [-Math.sin(a) * Math.cos(e), -Math.cos(a) * Math.cos(e), -Math.sin(e)];
    return [
      right.map((part, index) => part * Math.cos(r) - up[index] * Math.sin(r)),
      right.map((part, index) => part * Math.sin(r) + up[index] * Math.cos(r)), back];
  };

  let stream = null;
  const scene = {
    pose: { azimuth: 30, elevation: -5, roll: 0 },
    bias: 0, noise: 0, isSilent: false,
    draw() {
      gl.uniformMatrix3fv(gl.getUniformLocation(program, "pose"), false, columns(scene.pose).flat());
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    },
    tell() {
      const [x, y, z] = columns({
        azimuth: scene.pose.azimuth + scene.bias + scene.noise * normal(),
        elevation: scene.pose.elevation + scene.noise * normal(),
        roll: scene.pose.roll + scene.noise * normal(),
      });
      dispatchEvent(new DeviceOrientationEvent("deviceorientationabsolute", {
        absolute: true, alpha: (Math.atan2(-y[0], y[1]) / radians + 360) % 360,
        beta: Math.asin(Math.max(-1, Math.min(1, y[2]))) / radians,
        gamma: Math.atan2(-x[2], z[2]) / radians,
      }));
    },
    /// Follows the frame on the page for so many seconds, as a hand does: it sees the frame ten times
    /// a second, turns at most 60 degrees a second, and trembles.
    async follow(seconds) {
      const until = performance.now() + 1000 * seconds;
      let met = 0;
      while (performance.now() < until && met < 12) {
        await new Promise((done) => setTimeout(done, 100));
        const [target, centre] = ["target", "centre"].map((name) => {
          const element = document.querySelector(`[data-camera-${name}]`);
          const { a, b, e, f } = new DOMMatrix(getComputedStyle(element).transform);
          const [w, h] = [element.offsetWidth, element.offsetHeight];
          return { x: e + w / 2, y: f + h / 2, w, turn: Math.atan2(b, a) / radians,
            isShown: !element.hidden, isMet: element.classList.contains("is-matching") };
        });
        met = target.isMet ? met + 1 : 0;
        if (!target.isShown) continue;
        const degree = target.w / .6 / across;
        const held = (value) => Math.max(-6, Math.min(6, value));
        const [x, y] = [(target.x - centre.x) / degree, (target.y - centre.y) / degree];
        const roll = scene.pose.roll * radians;
        const tremble = () => .05 * normal();
        scene.pose.azimuth += held(.35 * (x * Math.cos(roll) + y * Math.sin(roll))) + tremble();
        scene.pose.elevation -= held(.35 * (y * Math.cos(roll) - x * Math.sin(roll))) + tremble();
        scene.pose.roll += held(.35 * target.turn) + tremble();
      }
      return met >= 12;
    },
    /// Returns the milliseconds from a sensor's word to the frame's new place on the screen, so many.
    async latency(count) {
      const element = document.querySelector("[data-camera-target]");
      const times = [];
      scene.isSilent = true;
      for (let number = 0; number < count; number++) {
        await new Promise((done) => setTimeout(done, 60 + 40 * random()));
        scene.pose.azimuth += number % 2 ? 8 : -8;
        const moved = new Promise((done) => {
          const observer = new MutationObserver(() => {
            observer.disconnect();
            // The frame after the change is on the screen when the next task runs.
            requestAnimationFrame(() => setTimeout(() => done(performance.now())));
          });
          observer.observe(element, { attributes: true, attributeFilter: ["style"] });
        });
        const began = performance.now();
        scene.tell();
        times.push(await moved - began);
      }
      scene.isSilent = false;
      return times;
    },
    /// Returns the true displacement against another pose, per cent of the frame.
    displacement(other) {
      const [now, before] = [columns(scene.pose), columns(other)];
      const tan = [tangent, tangent * height / width];
      let sum = 0;
      for (const [u, v] of [[.2, .2], [.8, .2], [.2, .8], [.8, .8]]) {
        const own = [(2 * u - 1) * tan[0], (1 - 2 * v) * tan[1], -1];
        const ray = [0, 1, 2].map((row) => own.reduce((all, part, axis) => all + before[axis][row] * part, 0));
        const seen = now.map((axis) => axis.reduce((all, part, row) => all + part * ray[row], 0));
        sum += Math.hypot((seen[0] / -seen[2] / tan[0] + 1) / 2 - u, (1 - seen[1] / -seen[2] / tan[1]) / 2 - v);
      }
      return 25 * sum;
    },
  };
  globalThis.standpointScene = scene;
  scene.draw();
  // A real camera's pictures take no time of the page's own thread, so the scene stands still while
  // the page's time is measured.
  setInterval(() => { if (!scene.isSilent) scene.draw(); }, 33);
  setInterval(() => { if (!scene.isSilent) scene.tell(); }, 50);
  navigator.mediaDevices.getUserMedia = async () => {
    stream ??= canvas.captureStream(30);
    return stream.clone();
  };
  // Stills would come from the machine's own camera.
  delete globalThis.ImageCapture;
})();
