"""`make green`: no verb may be green where it judged nothing, too little, or the wrong thing."""
