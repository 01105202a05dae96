"""A written GLB in a real browser: three.js loads it, plays it, and a body is seen that moves."""

from __future__ import annotations

import base64
import functools
import io
import shutil
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sidestep.files import write
from sidestep.performer import perform

HERE = Path(__file__).parent
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    *("--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"),
]

PAGE = """<!doctype html><body style="margin:0"><script type="importmap">
{"imports": {"three": "/three/build/three.module.js", "three/addons/": "/three/examples/jsm/"}}</script>
<script type="module">
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
const renderer = new THREE.WebGLRenderer({ preserveDrawingBuffer: true });
renderer.setSize(320, 400); document.body.appendChild(renderer.domElement);
const scene = new THREE.Scene(); scene.background = new THREE.Color(0xffffff);
scene.add(new THREE.HemisphereLight(0xffffff, 0x666666, 1.5));
const camera = new THREE.PerspectiveCamera(40, 0.8, 0.1, 100);
new GLTFLoader().load("/a.glb", (file) => {
  scene.add(file.scene);
  // three.js measures a skinned body once; whoever walks away from there would be culled.
  file.scene.traverse((part) => { part.frustumCulled = false; });
  const mixer = new THREE.AnimationMixer(file.scene);
  mixer.clipAction(file.animations[0]).play();
  const hips = file.scene.getObjectByName("Hips"), at = new THREE.Vector3();
  window.show = (seconds) => {
    mixer.setTime(seconds); file.scene.updateMatrixWorld(true);
    hips.getWorldPosition(at);
    camera.position.set(at.x + 2.2, 1.2, at.z + 2.2); camera.lookAt(at.x, 0.9, at.z);
    renderer.render(scene, camera);
    return { hips: [at.x, at.y, at.z], picture: renderer.domElement.toDataURL().split(",")[1] };
  };
  window.ready = { seconds: file.animations[0].duration };
}, undefined, (error) => { window.ready = { error: String(error) }; });
</script>"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    three = HERE / "node_modules" / "three"
    if CHROMIUM is None or not three.exists():
        pytest.skip("chromium or three.js is not installed")
    (tmp_path / "three").symlink_to(three)
    (tmp_path / "index.html").write_text(PAGE)
    write(tmp_path / "a.glb", perform("walk", 0).cut(60, 360))

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(tmp_path))) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{http.server_address[1]}/index.html"
        http.shutdown()


@pytest.mark.slow
def test_three_js_plays_what_was_written(site: str) -> None:
    from playwright.sync_api import sync_playwright

    clip = perform("walk", 0).cut(60, 360)
    hips = clip.world()[0][:, clip.skeleton.index("Hips")]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, headless=True)
        page = browser.new_page(viewport={"width": 320, "height": 400})
        page.goto(site)
        page.wait_for_function("window.ready", timeout=30_000)
        ready = page.evaluate("window.ready")
        assert "error" not in ready, ready
        assert ready["seconds"] == pytest.approx(299 / 60, abs=0.01)
        pictures = []
        for frame in (0, 120, 240):
            shown = page.evaluate(f"window.show({frame / 60})")
            assert shown["hips"] == pytest.approx(hips[frame].tolist(), abs=2e-3)
            picture = Image.open(io.BytesIO(base64.b64decode(shown["picture"])))
            pictures.append(np.asarray(picture.convert("RGB")).astype(int))
        browser.close()
    bodies = [(picture.min(-1) < 225) for picture in pictures]
    for body in bodies:
        assert 0.04 < body.mean() < 0.4
        assert np.ptp(np.flatnonzero(body.any(1))) > 200  # stands upright in the picture
    assert (bodies[1] != bodies[2]).mean() > 0.01
